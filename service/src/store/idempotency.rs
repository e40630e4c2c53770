//! Stored idempotent answers.

use settlekit_core::value::Timestamp;

use super::columns::{self, columns};
use super::conflict_on_duplicate;
use super::sql::{Database, StoreError};
use super::statement::{delete, insert};

pub(crate) struct StoredAnswer {
    pub(crate) fingerprint: [u8; 32],
    pub(crate) status: u16,
    /// Sealed.
    pub(crate) body: Vec<u8>,
    pub(crate) expires_at: Timestamp,
}

columns! { StoredAnswer { fingerprint, status, body, expires_at } }

pub(crate) fn find(
    database: &mut dyn Database,
    caller: &str,
    key: &str,
) -> Result<Option<StoredAnswer>, StoreError> {
    const FIND: &str = "SELECT fingerprint, status, body, expires_at FROM idempotency WHERE caller = ?1 AND idempotency_key = ?2";
    columns::first(&database.query(FIND, &[caller.into(), key.into()])?)
}

/// Stores an answer. Two concurrent ones for a key conflict, and one request reruns.
pub(crate) fn keep(
    database: &mut dyn Database,
    caller: &str,
    key: &str,
    kept: &StoredAnswer,
) -> Result<(), StoreError> {
    conflict_on_duplicate(insert!(database, "idempotency" {
        caller: caller,
        idempotency_key: key,
        fingerprint: &kept.fingerprint,
        status: kept.status,
        body: &kept.body,
        expires_at: kept.expires_at,
    }))
}

pub(crate) fn forget(
    database: &mut dyn Database,
    caller: &str,
    key: &str,
) -> Result<(), StoreError> {
    delete!(database, "idempotency" [caller: caller, idempotency_key: key])
}
