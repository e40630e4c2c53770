//! Sequences: dense numbers per owner (1, 2, 3 …) with times that never decrease.
//!
//! The row lock lasts until the transaction ends, so rows are numbered in the order in which they become visible.

use settlekit_core::value::Timestamp;

use super::columns::get;
use super::first;
use super::sql::{CachedTable, Change, Database, Row, StoreError, Value};

/// The last number and time of a sequence.
static CACHED: CachedTable = CachedTable::new(
    "sequences",
    &["owner", "kind"],
    &["last_seq", "last_at"],
    "INSERT INTO sequences (owner, kind, last_seq, last_at) VALUES (?1, ?2, ?3, ?4) \
     ON CONFLICT (owner, kind) DO UPDATE SET last_seq = excluded.last_seq, last_at = excluded.last_at",
);

/// A numeric owner id as text, as the column stores it.
fn text_of(owner: Value<'_>) -> Option<String> {
    match owner {
        Value::Int(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The next number of a sequence, and the time to record: `now`, or the sequence's last if later.
pub(crate) fn next(
    database: &mut dyn Database,
    owner: Value<'_>,
    kind: &str,
    now: Timestamp,
) -> Result<(i64, Timestamp), StoreError> {
    let text = text_of(owner);
    let key = [text.as_deref().map_or(owner, Value::Text), kind.into()];
    let (seq, at) = match latest(database, &key)? {
        Some(row) => (row.int(0)? + 1, now.max(get(&row, 1)?)),
        None => (1, now),
    };
    let values = [seq.into(), at.into()];
    database.write_cached(&CACHED, &key, Change::Set(&values))?;
    Ok((seq, at))
}

fn latest(database: &mut dyn Database, key: &[Value<'_>]) -> Result<Option<Row>, StoreError> {
    Ok(database.read_cached(&CACHED, &[key])?.pop().flatten())
}

/// The last number of a list that is about to change, as [`next`] knows it.
pub(crate) fn given(
    database: &mut dyn Database,
    owner: Value<'_>,
    kind: &str,
) -> Result<i64, StoreError> {
    let text = text_of(owner);
    let key = [text.as_deref().map_or(owner, Value::Text), kind.into()];
    latest(database, &key)?.map_or(Ok(0), |row| row.int(0))
}

/// The last number of a sequence; 0 if empty.
pub(crate) fn last(
    database: &mut dyn Database,
    owner: Value<'_>,
    kind: &str,
) -> Result<i64, StoreError> {
    const LAST: &str = "SELECT last_seq FROM sequences WHERE owner = ?1 AND kind = ?2";
    let text = text_of(owner);
    let key = [text.as_deref().map_or(owner, Value::Text), kind.into()];
    first(database.query(LAST, &key)?).map_or(Ok(0), |row| row.int(0))
}
