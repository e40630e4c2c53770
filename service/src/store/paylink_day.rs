//! How often payment links were opened, checked out and paid, per UTC day: a row for each link and day, and a row per day for all links of an
//! organisation.

use settlekit_core::value::{OrganisationId, PaylinkId};

use super::columns::{self, Columns, columns};
use super::sql::{CachedTable, Change, Database, Row, StoreError, Value};

/// The link of the row for all links.
const ALL: &str = "";

/// What happened at a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PaylinkStep {
    /// Its page was opened.
    Visit,
    /// A checkout was started.
    Checkout,
    /// A payment was confirmed.
    Payment,
}

/// How often each happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PaylinkCounts {
    pub(crate) visits: u64,
    pub(crate) checkouts: u64,
    pub(crate) payments: u64,
}

columns! { PaylinkCounts { visits, checkouts, payments } }

impl PaylinkCounts {
    /// The sum of both.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            visits: self.visits.saturating_add(other.visits),
            checkouts: self.checkouts.saturating_add(other.checkouts),
            payments: self.payments.saturating_add(other.payments),
        }
    }

    fn of(step: PaylinkStep, times: u32) -> Self {
        let times_of = |counted| match counted == step {
            true => u64::from(times),
            false => 0,
        };
        Self {
            visits: times_of(PaylinkStep::Visit),
            checkouts: times_of(PaylinkStep::Checkout),
            payments: times_of(PaylinkStep::Payment),
        }
    }
}

/// Counts what happened at a link on a day, a number of times.
pub(crate) fn add(
    database: &mut dyn Database,
    (organisation, link): (OrganisationId, PaylinkId),
    day: i64,
    (step, times): (PaylinkStep, u32),
) -> Result<(), StoreError> {
    static CACHED: CachedTable = CachedTable::new(
        "paylink_days",
        &["org_id", "paylink_id", "day"],
        &["visits", "checkouts", "payments"],
        "INSERT INTO paylink_days (org_id, paylink_id, day, visits, checkouts, payments) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
         ON CONFLICT (org_id, paylink_id, day) DO UPDATE SET visits = excluded.visits, checkouts = excluded.checkouts, \
         payments = excluded.payments",
    );
    let keys = [link.into(), Value::Text(ALL)].map(|link| [organisation.into(), link, day.into()]);
    let before = database.read_cached(&CACHED, &[&keys[0], &keys[1]])?;
    for (key, row) in keys.iter().zip(before) {
        let before = match row {
            Some(row) => PaylinkCounts::read(&row, 0)?,
            None => PaylinkCounts::default(),
        };
        let after = before.plus(PaylinkCounts::of(step, times));
        let counts = [after.visits, after.checkouts, after.payments];
        let values = counts.map(|count| Value::Int(i64::try_from(count).unwrap_or(i64::MAX)));
        database.write_cached(&CACHED, key, Change::Set(&values))?;
    }
    Ok(())
}

/// The days since one, oldest first, of a link or of all links; days on which nothing happened are missing.
pub(crate) fn since(
    database: &mut dyn Database,
    organisation: OrganisationId,
    link: Option<PaylinkId>,
    day: i64,
) -> Result<Vec<(i64, PaylinkCounts)>, StoreError> {
    const SINCE: &str = "SELECT day, visits, checkouts, payments FROM paylink_days \
         WHERE org_id = ?1 AND paylink_id = ?2 AND day >= ?3 ORDER BY day";
    let link: Value<'_> = link.map_or(Value::Text(ALL), Into::into);
    let rows = database.query(SINCE, &[organisation.into(), link, day.into()])?;
    let read = |row: &Row| Ok((columns::get(row, 0)?, PaylinkCounts::read(row, 1)?));
    rows.iter().map(read).collect()
}
