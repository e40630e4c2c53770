//! The credentials and the nonce that a request needs.

use settlekit_core::value::Timestamp;

use super::kraken::sign_request;
use super::{Credentials, SignedRequest};
use crate::secret::context;
use crate::store::exchange::StoredAccount;
use crate::unit::Unit;

/// The credentials and the nonce of a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access<'a> {
    pub(super) url: &'a str,
    pub(super) credentials: &'a Credentials,
    /// The first request has this nonce, each further one the next.
    pub(super) nonce: u64,
}

impl Access<'_> {
    /// The signed request at a place of its round.
    pub(super) fn sign(self, place: u64, path: &str, fields: &[(&str, &str)]) -> SignedRequest {
        let nonce = self.nonce + place;
        sign_request(self.url, self.credentials, path, (nonce, fields))
    }
}

/// The credentials of an account, if they can be unsealed.
pub(super) fn credentials_of(unit: &Unit<'_>, account: &StoredAccount) -> Option<Credentials> {
    let context = context::exchange_account(&account.name);
    let text = unit.open(&context, &account.credentials)?;
    Credentials::parse(str::from_utf8(&text).ok()?).ok()
}

/// The next nonce: no two requests have the same, even if the clock stops or goes back.
pub(super) fn next_nonce(now: Timestamp, last: u64) -> u64 {
    let by_clock = u64::try_from(now.micros()).unwrap_or(0);
    by_clock.max(last.saturating_add(1))
}
