//! Stored idempotent answers.

use settlekit_core::value::Timestamp;

use super::sql::{Database, StoreError};
use super::{first, timestamp};

pub(crate) struct Kept {
    pub(crate) fingerprint: [u8; 32],
    pub(crate) status: u16,
    /// Sealed.
    pub(crate) body: Vec<u8>,
    pub(crate) expires_at: Timestamp,
}

pub(crate) fn find(
    database: &mut dyn Database,
    caller: &str,
    key: &str,
) -> Result<Option<Kept>, StoreError> {
    const FIND: &str = "SELECT fingerprint, status, body, expires_at FROM idempotency WHERE caller = ?1 AND idempotency_key = ?2";
    let Some(row) = first(database.query(FIND, &[caller.into(), key.into()])?) else {
        return Ok(None);
    };
    let damaged = || StoreError::Damaged("a kept answer is malformed".into());
    Ok(Some(Kept {
        fingerprint: row.blob(0)?.try_into().map_err(|_| damaged())?,
        status: u16::try_from(row.int(1)?).map_err(|_| damaged())?,
        body: row.blob(2)?.to_vec(),
        expires_at: timestamp(&row, 3)?,
    }))
}

/// Stores an answer. Two concurrent ones for a key conflict, and one request reruns.
pub(crate) fn keep(
    database: &mut dyn Database,
    caller: &str,
    key: &str,
    kept: &Kept,
) -> Result<(), StoreError> {
    const KEEP: &str = "INSERT INTO idempotency (caller, idempotency_key, fingerprint, status, body, expires_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let fingerprint: &[u8] = &kept.fingerprint;
    let values = [
        caller.into(),
        key.into(),
        fingerprint.into(),
        kept.status.into(),
        (&kept.body).into(),
        kept.expires_at.into(),
    ];
    match database.execute(KEEP, &values) {
        Err(StoreError::Constraint(_)) => Err(StoreError::Conflict),
        outcome => outcome.map(|_| ()),
    }
}

pub(crate) fn forget(
    database: &mut dyn Database,
    caller: &str,
    key: &str,
) -> Result<(), StoreError> {
    const FORGET: &str = "DELETE FROM idempotency WHERE caller = ?1 AND idempotency_key = ?2";
    database.execute(FORGET, &[caller.into(), key.into()])?;
    Ok(())
}

/// Deletes expired answers.
pub(crate) fn forget_over(database: &mut dyn Database, now: Timestamp) -> Result<(), StoreError> {
    const FORGET: &str = "DELETE FROM idempotency WHERE expires_at < ?1";
    database.execute(FORGET, &[now.into()])?;
    Ok(())
}
