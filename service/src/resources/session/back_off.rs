//! Backoff for passwords, per account: after some failed attempts no password is checked for a while, doubling each time.
//!
//! There are two kinds of buckets, like OWASP's device cookies. A device on which the account has signed in before has its own
//! bucket, known by a cookie that only the service can create; all other attempts share the account's bucket. So guesses from any
//! number of addresses are slowed down without locking out the owner's devices. Unknown accounts count alike, so answers do not
//! reveal which accounts exist.

use std::time::Duration;

use http::Request;
use settlekit_core::PREFIX;
use settlekit_core::error::Reason;
use settlekit_core::header::{self, DEVICE_COOKIE};
use settlekit_core::value::Timestamp;
use sha2::{Digest, Sha256};

use super::cookie::{cookies, set_cookie};
use crate::store::password_failure::{self, Failures};
use crate::store::sql::{Database, StoreError};
use crate::unit::{Refusal, Unit};
use crate::{Service, secret};

/// Failed attempts without backoff, for typing errors.
const FREE: u32 = 5;

/// The backoff after the last of these; it doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_secs(15);

/// Maximum backoff: about a hundred guesses a day.
const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);

/// Failed attempts expire this long after the last one.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a device is known after its last sign-in.
const DEVICE: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Device cookies tried per request.
const COOKIES_MAX: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bucket {
    pub(crate) key: [u8; 32],
    pub(crate) is_known_device: bool,
}

/// The bucket of a password attempt.
pub(crate) fn bucket(
    service: &Service,
    request: &Request<Vec<u8>>,
    email: &str,
    now: Timestamp,
) -> Bucket {
    let email = email.to_lowercase();
    let mut cookies = cookies(request, DEVICE_COOKIE).take(COOKIES_MAX);
    let device = cookies.find(|cookie| is_of_device(service, cookie, &email, now));
    Bucket {
        key: key(&email, device.unwrap_or_default()),
        is_known_device: device.is_some(),
    }
}

fn key(email: &str, device: &str) -> [u8; 32] {
    let mut digest = Sha256::new();
    digest.update(email.as_bytes());
    digest.update([0]);
    digest.update(device.as_bytes());
    digest.finalize().into()
}

/// Clears the shared bucket of an account after a password change, so that its owner can sign in at once.
pub(super) fn forget(database: &mut dyn Database, email: &str) -> Result<(), StoreError> {
    password_failure::delete(database, &key(&email.to_lowercase(), ""))
}

fn context(email: &str) -> String {
    format!("device {email}")
}

/// Whether a cookie is of a device on which the account signed in within the last year.
fn is_of_device(service: &Service, cookie: &str, email: &str, now: Timestamp) -> bool {
    // Cookies are canonical: in upper case it would count as another device.
    let opened = hex::decode(cookie)
        .ok()
        .filter(|sealed| hex::encode(sealed) == cookie)
        .and_then(|sealed| secret::open(&service.options.master_key, &context(email), &sealed));
    let at = opened.and_then(|at| Some(i64::from_be_bytes(at.try_into().ok()?)));
    at.is_some_and(|at| now < Timestamp::from_micros(at).plus(DEVICE))
}

/// Sets the device cookie of the account.
pub(super) fn remember_device(unit: &mut Unit<'_>, email: &str) {
    let sealed = secret::seal(
        &unit.options().master_key,
        &context(&email.to_lowercase()),
        &unit.now.micros().to_be_bytes(),
        &mut unit.random,
    );
    let (sealed, path) = (hex::encode(sealed), format!("{PREFIX}/sessions"));
    set_cookie(unit, DEVICE_COOKIE, &sealed, &path, DEVICE.as_secs());
}

/// The remaining backoff of a bucket.
pub(crate) fn wait(
    database: &mut dyn Database,
    bucket: &[u8; 32],
    now: Timestamp,
) -> Result<Option<Duration>, StoreError> {
    let failures = password_failure::find(database, bucket)?;
    Ok(failures
        .filter(|failures| failures.blocked_until > now)
        .map(|failures| failures.blocked_until.since(now)))
}

pub(crate) fn count(unit: &mut Unit<'_>, bucket: &[u8; 32]) -> Result<(), StoreError> {
    let before = password_failure::find(unit.database, bucket)?;
    let before = before.filter(|failures| failures.expires_at > unit.now);
    let count = before
        .map_or(0, |failures| failures.count)
        .saturating_add(1);
    let failures = Failures {
        count,
        blocked_until: unit.now.plus(wait_after(count)),
        expires_at: unit.now.plus(FORGOTTEN_AFTER),
    };
    password_failure::save(unit.database, bucket, &failures)
}

fn wait_after(failures: u32) -> Duration {
    match failures.checked_sub(FREE) {
        None => Duration::ZERO,
        Some(doublings) => (FIRST_WAIT * 2u32.pow(doublings.min(8))).min(LONGEST_WAIT),
    }
}

/// The refusal during backoff, whether or not the password is right.
pub(crate) fn too_soon(unit: &mut Unit<'_>, wait: Duration) -> Refusal {
    let seconds = (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1);
    let name = http::HeaderName::from_static(header::RETRY_AFTER);
    unit.headers.push((name, seconds.to_string()));
    let message = if seconds < 120 {
        format!("too many failed attempts: try again in {seconds} seconds")
    } else {
        let minutes = seconds.div_ceil(60);
        format!("too many failed attempts: try again in {minutes} minutes")
    };
    Refusal::because(Reason::RateLimited, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_from_the_fifth_failure_up_to_a_quarter_of_an_hour() {
        let waits = [1, 4, 5, 6, 7, 10, 11, 12, 1_000].map(|count| wait_after(count).as_secs());
        assert_eq!(waits, [0, 0, 15, 30, 60, 480, 900, 900, 900]);
    }
}
