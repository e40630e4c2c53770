//! How many subscriptions began to run and how many ended, per organisation and UTC day.

use settlekit_core::value::{OrganisationId, Timestamp};

use super::columns::{self, Columns, columns};
use super::counter;
use super::sql::{CachedTable, Change, Database, StoreError};

/// The counter of an organisation's running subscriptions.
pub(crate) const RUNNING: &str = "subscription running";

/// The subscriptions that began to run, and those that ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SubscriptionDay {
    pub(crate) began: i64,
    pub(crate) ended: i64,
}

columns! { SubscriptionDay { began, ended } }

/// Counts a subscription that begins to run, or one that ends.
pub(super) fn add(
    database: &mut dyn Database,
    organisation: OrganisationId,
    at: Timestamp,
    begins: bool,
) -> Result<(), StoreError> {
    static CACHED: CachedTable = CachedTable::new(
        "subscription_days",
        &["org_id", "day"],
        &["began", "ended"],
        "INSERT INTO subscription_days (org_id, day, began, ended) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (org_id, day) DO UPDATE SET began = excluded.began, ended = excluded.ended",
    );
    let key = [organisation.into(), at.day_number().into()];
    let before = match database.read_cached(&CACHED, &[&key])?.pop().flatten() {
        Some(row) => SubscriptionDay::read(&row, 0)?,
        None => SubscriptionDay::default(),
    };
    let values = [
        (before.began + i64::from(begins)).into(),
        (before.ended + i64::from(!begins)).into(),
    ];
    database.write_cached(&CACHED, &key, Change::Set(&values))?;
    let by = if begins { 1 } else { -1 };
    counter::add(database, organisation, RUNNING, by)
}

/// The sum of the days since one.
pub(crate) fn since(
    database: &mut dyn Database,
    organisation: OrganisationId,
    day: i64,
) -> Result<SubscriptionDay, StoreError> {
    const SINCE: &str =
        "SELECT began, ended FROM subscription_days WHERE org_id = ?1 AND day >= ?2";
    let rows = database.query(SINCE, &[organisation.into(), day.into()])?;
    let days: Vec<SubscriptionDay> = columns::all(&rows)?;
    let sum = |sum: SubscriptionDay, day: &SubscriptionDay| SubscriptionDay {
        began: sum.began + day.began,
        ended: sum.ended + day.ended,
    };
    Ok(days.iter().fold(SubscriptionDay::default(), sum))
}
