//! Dense numbers per owner: 1, 2, 3, without a gap, and a moment that never goes back.
//!
//! The row is locked until the transaction ends, so rows get their numbers in the order in which they become visible.

use settlekit_core::value::Timestamp;

use super::sql::{Database, StoreError};
use super::{first, moment};

/// Takes the next number of an owner's list; answers it and its moment, and after them what else is named.
macro_rules! next {
    ($also:literal) => {
        concat!(
            "INSERT INTO sequences (owner, kind, last_seq, last_at) VALUES (?1, ?2, 1, ?3) \
             ON CONFLICT (owner, kind) DO UPDATE SET last_seq = sequences.last_seq + 1, \
             last_at = CASE WHEN excluded.last_at > sequences.last_at THEN excluded.last_at ELSE sequences.last_at END \
             RETURNING last_seq, last_at",
            $also
        )
    };
}
pub(super) use next as next_statement;

/// The next number of an owner's list, and the moment to record: `now`, or the latest of the list if that is later.
pub(crate) fn next(
    database: &mut dyn Database,
    owner: &str,
    kind: &str,
    now: Timestamp,
) -> Result<(i64, Timestamp), StoreError> {
    const NEXT: &str = next!("");
    let row = first(database.query(NEXT, &[owner.into(), kind.into(), now.micros().into()])?)
        .ok_or_else(ungiven)?;
    Ok((row.int(0)?, moment(&row, 1)?))
}

/// For a statement that gave no number.
pub(super) fn ungiven() -> StoreError {
    StoreError::Broken("no number was given".into())
}

/// The latest number of an owner's list; 0 when it is empty.
pub(crate) fn last(
    database: &mut dyn Database,
    owner: &str,
    kind: &str,
) -> Result<i64, StoreError> {
    const LAST: &str = "SELECT last_seq FROM sequences WHERE owner = ?1 AND kind = ?2";
    first(database.query(LAST, &[owner.into(), kind.into()])?).map_or(Ok(0), |row| row.int(0))
}
