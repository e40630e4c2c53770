//! Dense numbers per owner: 1, 2, 3, without a gap, and a moment that never goes back.
//!
//! The row is locked until the transaction ends, so rows get their numbers in the order in which they become visible.

use settlekit_core::value::Timestamp;

use super::sql::{Database, Row, StoreError};
use super::{first, moment};

/// Taking the next number of an owner's list, and reading it and its moment.
pub(super) struct Next {
    pub(super) take: &'static str,
    pub(super) read: &'static str,
    /// Both at once.
    pub(super) take_and_read: &'static str,
}

/// Takes the next number of an owner's list; reads it and its moment, and after them what else is named.
macro_rules! next {
    ($also:literal) => {
        $crate::store::sequence::next_statement!(
            "INSERT INTO sequences (owner, kind, last_seq, last_at) VALUES (?1, ?2, 1, ?3) \
             ON CONFLICT (owner, kind) DO UPDATE SET last_seq = sequences.last_seq + 1, \
             last_at = CASE WHEN excluded.last_at > sequences.last_at THEN excluded.last_at ELSE sequences.last_at END",
            concat!("last_seq, last_at", $also)
        )
    };
    ($take:expr, $columns:expr) => {
        $crate::store::sequence::Next {
            take: $take,
            read: concat!("SELECT ", $columns, " FROM sequences WHERE owner = ?1 AND kind = ?2"),
            take_and_read: concat!($take, " RETURNING ", $columns),
        }
    };
}
pub(super) use next as next_statement;

impl Next {
    /// The row with the number and its moment.
    pub(super) fn row(
        &self,
        database: &mut dyn Database,
        owner: &str,
        kind: &str,
        now: Timestamp,
    ) -> Result<Row, StoreError> {
        let values = [owner.into(), kind.into(), now.micros().into()];
        let rows = if database.dialect().reads_again() {
            database.write(self.take, &values)?;
            database.query(self.read, &values[..2])?
        } else {
            database.query(self.take_and_read, &values)?
        };
        first(rows).ok_or_else(|| StoreError::Broken("no number was given".into()))
    }
}

/// The next number of an owner's list, and the moment to record: `now`, or the latest of the list if that is later.
pub(crate) fn next(
    database: &mut dyn Database,
    owner: &str,
    kind: &str,
    now: Timestamp,
) -> Result<(i64, Timestamp), StoreError> {
    const NEXT: Next = next!("");
    let row = NEXT.row(database, owner, kind, now)?;
    Ok((row.int(0)?, moment(&row, 1)?))
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
