//! Confirmed volume per organisation and day, in millionths of a US dollar.

use settlekit_core::value::OrganisationId;

use super::columns::{Columns, columns};
use super::sql::{CachedTable, Change, Database, StoreError};

/// Incoming and outgoing volume of a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Day {
    pub(crate) in_usd: i128,
    pub(crate) out_usd: i128,
    pub(crate) movements: i64,
    /// The movements that had no price when they were booked, without those of test networks.
    pub(crate) unpriced: i64,
}

columns! { Day { in_usd, out_usd, movements, unpriced } }

/// Adds to a UTC day.
pub(crate) fn add(
    database: &mut dyn Database,
    organisation: OrganisationId,
    day: i64,
    change: &Day,
) -> Result<(), StoreError> {
    static CACHED: CachedTable = CachedTable::new(
        "daily_volumes",
        &["org_id", "day"],
        &["in_usd", "out_usd", "movements", "unpriced"],
        "INSERT INTO daily_volumes (org_id, day, in_usd, out_usd, movements, unpriced) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
         ON CONFLICT (org_id, day) DO UPDATE SET in_usd = excluded.in_usd, out_usd = excluded.out_usd, \
         movements = excluded.movements, unpriced = excluded.unpriced",
    );
    let key = [organisation.into(), day.into()];
    let before = match database.read_cached(&CACHED, &[&key])?.pop().flatten() {
        Some(row) => Day::read(&row, 0)?,
        None => Day::default(),
    };
    let values = [
        before.in_usd.saturating_add(change.in_usd).into(),
        before.out_usd.saturating_add(change.out_usd).into(),
        (before.movements + change.movements).into(),
        (before.unpriced + change.unpriced).into(),
    ];
    database.write_cached(&CACHED, &key, Change::Set(&values))
}

/// The days since a day, oldest first; days without movements are missing.
pub(crate) fn since(
    database: &mut dyn Database,
    organisation: OrganisationId,
    day: i64,
) -> Result<Vec<(i64, Day)>, StoreError> {
    const SINCE: &str = "SELECT day, in_usd, out_usd, movements, unpriced FROM daily_volumes WHERE org_id = ?1 AND day >= ?2 ORDER BY day";
    let rows = database.query(SINCE, &[organisation.into(), day.into()])?;
    rows.iter()
        .map(|row| Ok((row.int(0)?, Day::read(row, 1)?)))
        .collect()
}
