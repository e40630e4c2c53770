//! Dense numbers per owner: 1, 2, 3, without a gap, and a moment that never goes back.
//!
//! The row is locked until the transaction ends, so rows get their numbers in the order in which they become visible.

use settlekit_core::value::Timestamp;

use super::sql::{Database, Kept, StoreError};
use super::{first, moment};

/// The latest number and moment of an owner's list, where they are kept.
static KEPT: Kept = Kept {
    table: "sequences",
    write: "INSERT INTO sequences (owner, kind, last_seq, last_at) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (owner, kind) DO UPDATE SET last_seq = excluded.last_seq, last_at = excluded.last_at",
};

/// Takes the next number where the latest is kept.
fn take(
    database: &mut dyn Database,
    owner: &str,
    kind: &str,
    now: Timestamp,
) -> Result<(i64, Timestamp), StoreError> {
    const LATEST: &str =
        "SELECT last_seq, last_at FROM sequences WHERE owner = ?1 AND kind = ?2 FOR UPDATE";
    let key = [owner.into(), kind.into()];
    let (seq, at) = match database.recall(&KEPT, LATEST, &key)? {
        Some(row) => (row.int(0)? + 1, now.max(moment(&row, 1)?)),
        None => (1, now),
    };
    database.keep(&KEPT, &key, &[seq.into(), at.micros().into()])?;
    Ok((seq, at))
}

/// Taking the next number of an owner's list, and reading it and its moment.
pub(super) struct Next {
    pub(super) take: &'static str,
    pub(super) read: &'static str,
    /// What is read besides of the owner, by itself.
    pub(super) also: &'static str,
}

/// Takes the next number of an owner's list; reads it and its moment, and after them what else is named.
macro_rules! next {
    ($also:literal) => {
        $crate::store::sequence::Next {
            take: "INSERT INTO sequences (owner, kind, last_seq, last_at) VALUES (?1, ?2, 1, ?3) \
             ON CONFLICT (owner, kind) DO UPDATE SET last_seq = sequences.last_seq + 1, \
             last_at = CASE WHEN excluded.last_at > sequences.last_at THEN excluded.last_at ELSE sequences.last_at END",
            read: concat!("SELECT last_seq, last_at, ", $also, " FROM sequences WHERE owner = ?1 AND kind = ?2"),
            also: concat!("SELECT ", $also),
        }
    };
}
pub(super) use next as next_statement;

impl Next {
    /// The number and its moment, and what else is named: 1 when it holds.
    pub(super) fn take(
        &self,
        database: &mut dyn Database,
        owner: &str,
        kind: &str,
        now: Timestamp,
    ) -> Result<(i64, Timestamp, bool), StoreError> {
        let missing = || StoreError::Broken("no number was given".into());
        if !database.dialect().reads_again() {
            let (seq, at) = take(database, owner, kind, now)?;
            let row = first(database.query(self.also, &[owner.into()])?).ok_or_else(missing)?;
            return Ok((seq, at, row.int(0)? != 0));
        }
        let values = [owner.into(), kind.into(), now.micros().into()];
        database.write(self.take, &values)?;
        let row = first(database.query(self.read, &values[..2])?).ok_or_else(missing)?;
        Ok((row.int(0)?, moment(&row, 1)?, row.int(2)? != 0))
    }
}

/// The next number of an owner's list, and the moment to record: `now`, or the latest of the list if that is later.
pub(crate) fn next(
    database: &mut dyn Database,
    owner: &str,
    kind: &str,
    now: Timestamp,
) -> Result<(i64, Timestamp), StoreError> {
    const NEXT: Next = next!("1");
    if !database.dialect().reads_again() {
        return take(database, owner, kind, now);
    }
    let (seq, at, _) = NEXT.take(database, owner, kind, now)?;
    Ok((seq, at))
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
