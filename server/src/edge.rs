//! The clock and the randomness of the machine; the server's only access to both.

use std::time::SystemTime;

use settlekit_core::value::Timestamp;
use settlekit_service::Seed;
use settlekit_service::store::sql::StoreError;

/// The system time.
pub(crate) fn now() -> Timestamp {
    // A clock before 1970 is wrong and counts as 1970.
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

/// Random bytes for one call.
pub(crate) fn seed() -> Result<Seed, StoreError> {
    let mut seed = [0; 32];
    match getrandom::fill(&mut seed) {
        Ok(()) => Ok(Seed(seed)),
        // No fallback: secrets would be predictable.
        Err(error) => Err(StoreError::Broken(format!(
            "the operating system gives no random bytes: {error}"
        ))),
    }
}

/// A request id: `req_` and 24 hex digits.
pub(crate) fn request_id() -> String {
    let mut bytes = [0; 12];
    // Without randomness ids repeat, which only makes the log harder to read.
    let _filled = getrandom::fill(&mut bytes);
    let mut name = String::with_capacity(4 + 2 * bytes.len());
    name.push_str("req_");
    for half in bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]) {
        name.push(char::from(b"0123456789abcdef"[usize::from(half)]));
    }
    name
}
