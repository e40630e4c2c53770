//! Confirmed volume per organisation and day, in millionths of a US dollar.

use settlekit_core::value::{OrganisationId, Timestamp};

use super::columns::{Columns, columns};
use super::sql::{CachedTable, Change, Database, StoreError};

/// Incoming and outgoing volume of a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Day {
    pub(crate) in_usd: i128,
    pub(crate) out_usd: i128,
    pub(crate) movements: i64,
}

columns! { Day { in_usd, out_usd, movements } }

/// Adds to the day of a time.
pub(crate) fn add(
    database: &mut dyn Database,
    organisation: OrganisationId,
    at: Timestamp,
    in_usd: i128,
    out_usd: i128,
) -> Result<(), StoreError> {
    static CACHED: CachedTable = CachedTable::new(
        "daily_volumes",
        &["org_id", "day"],
        &["in_usd", "out_usd", "movements"],
        "INSERT INTO daily_volumes (org_id, day, in_usd, out_usd, movements) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (org_id, day) DO UPDATE SET in_usd = excluded.in_usd, out_usd = excluded.out_usd, movements = excluded.movements",
    );
    let day = at.day_number();
    let key = [organisation.into(), day.into()];
    let before = match database.read_cached(&CACHED, &[&key])?.pop().flatten() {
        Some(row) => Day::read(&row, 0)?,
        None => Day::default(),
    };
    let values = [
        before.in_usd.saturating_add(in_usd).into(),
        before.out_usd.saturating_add(out_usd).into(),
        (before.movements + 1).into(),
    ];
    database.write_cached(&CACHED, &key, Change::Set(&values))
}

/// The days since a day, oldest first; days without movements are missing.
pub(crate) fn since(
    database: &mut dyn Database,
    organisation: OrganisationId,
    day: i64,
) -> Result<Vec<(i64, Day)>, StoreError> {
    const SINCE: &str = "SELECT day, in_usd, out_usd, movements FROM daily_volumes WHERE org_id = ?1 AND day >= ?2 ORDER BY day";
    let rows = database.query(SINCE, &[organisation.into(), day.into()])?;
    rows.iter()
        .map(|row| Ok((row.int(0)?, Day::read(row, 1)?)))
        .collect()
}
