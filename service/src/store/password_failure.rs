//! Failed password attempts.

use settlekit_core::value::Timestamp;

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::delete;

/// The failed attempts of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Failures {
    pub(crate) count: u32,
    /// No password is checked before this time.
    pub(crate) blocked_until: Timestamp,
    pub(crate) expires_at: Timestamp,
}

columns! { Failures { count, blocked_until, expires_at } }

/// Read before sign-in, hence across organisations.
pub(crate) fn find(
    database: &mut dyn Database,
    bucket: &[u8; 32],
) -> Result<Option<Failures>, StoreError> {
    const FIND: &str =
        "SELECT failures, blocked_until, expires_at FROM password_failures WHERE bucket = ?1";
    columns::first(&database.query(FIND, &[bucket.into()])?)
}

pub(crate) fn save(
    database: &mut dyn Database,
    bucket: &[u8; 32],
    failures: &Failures,
) -> Result<(), StoreError> {
    const SAVE: &str = "INSERT INTO password_failures (bucket, failures, blocked_until, expires_at) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (bucket) DO UPDATE SET failures = excluded.failures, blocked_until = excluded.blocked_until, \
         expires_at = excluded.expires_at";
    database.execute(
        SAVE,
        &[
            bucket.into(),
            failures.count.into(),
            failures.blocked_until.into(),
            failures.expires_at.into(),
        ],
    )?;
    Ok(())
}

pub(crate) fn delete(database: &mut dyn Database, bucket: &[u8; 32]) -> Result<(), StoreError> {
    delete!(database, "password_failures" [bucket: bucket])
}
