//! Limits of payouts without a second member's approval, and the sums of payouts by day.

use settlekit_core::value::{Amount, Currency, OrganisationId, Timestamp};

use super::columns::{get, parse};
use super::sql::{Database, Row, StoreError};

/// Whose payouts a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitScope {
    /// Each payout of the installation, and the sum of all organisations.
    Installation,
    /// Those of one organisation.
    Organisation(OrganisationId),
}

impl LimitScope {
    fn text(self) -> String {
        match self {
            Self::Installation => String::new(),
            Self::Organisation(id) => id.to_string(),
        }
    }
}

/// A limit on payouts in a currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutLimit {
    /// Whose payouts it counts.
    pub scope: LimitScope,
    /// The currency, on all chains whose money has value.
    pub currency: Currency,
    /// The most of one payout; `None` for any.
    pub per_payout: Option<Amount>,
    /// The most of a day (UTC); `None` for any.
    pub per_day: Option<Amount>,
}

macro_rules! limit_columns {
    () => {
        "SELECT org_id, currency, per_payout, per_day FROM payout_limits"
    };
}

fn read(row: &Row) -> Result<PayoutLimit, StoreError> {
    let amount = |column| row.maybe_text(column)?.map(parse).transpose();
    Ok(PayoutLimit {
        scope: match row.text(0)? {
            "" => LimitScope::Installation,
            id => LimitScope::Organisation(parse(id)?),
        },
        currency: get(row, 1)?,
        per_payout: amount(2)?,
        per_day: amount(3)?,
    })
}

/// All limits.
pub(crate) fn all(database: &mut dyn Database) -> Result<Vec<PayoutLimit>, StoreError> {
    const ALL: &str = concat!(limit_columns!(), " ORDER BY org_id, currency");
    database.query(ALL, &[])?.iter().map(read).collect()
}

/// The limits that count an organisation's payouts, locked until the database transaction ends: payouts at the same time are
/// counted one after another.
pub(crate) fn lock(
    database: &mut dyn Database,
    organisation: OrganisationId,
    currency: &Currency,
) -> Result<Vec<PayoutLimit>, StoreError> {
    const OF: &str = concat!(
        limit_columns!(),
        " WHERE org_id IN ('', ?1) AND currency = ?2 ORDER BY org_id FOR UPDATE"
    );
    let values = [organisation.into(), currency.as_str().into()];
    database.query(OF, &values)?.iter().map(read).collect()
}

/// Whether a limit has been the same since a time, so that it counted the payouts since.
pub(crate) fn is_unchanged_since(
    database: &mut dyn Database,
    limit: &PayoutLimit,
    at: Timestamp,
) -> Result<bool, StoreError> {
    const FIND: &str =
        "SELECT 1 FROM payout_limits WHERE org_id = ?1 AND currency = ?2 AND updated_at <= ?3";
    let scope = limit.scope.text();
    let values = [(&scope).into(), limit.currency.as_str().into(), at.into()];
    Ok(!database.query(FIND, &values)?.is_empty())
}

/// Sets a limit, or removes one without amounts.
pub(crate) fn write(
    database: &mut dyn Database,
    limit: &PayoutLimit,
    now: Timestamp,
) -> Result<(), StoreError> {
    const WRITE: &str = "INSERT INTO payout_limits (org_id, currency, per_payout, per_day, updated_at) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (org_id, currency) DO UPDATE SET per_payout = excluded.per_payout, per_day = excluded.per_day, \
         updated_at = excluded.updated_at";
    const DELETE: &str = "DELETE FROM payout_limits WHERE org_id = ?1 AND currency = ?2";
    let scope = limit.scope.text();
    let key = [(&scope).into(), limit.currency.as_str().into()];
    let text = |amount: Option<Amount>| amount.map(|amount| amount.to_string());
    let (per_payout, per_day) = (text(limit.per_payout), text(limit.per_day));
    if per_payout.is_none() && per_day.is_none() {
        return database.execute(DELETE, &key).map(drop);
    }
    let [scope, currency] = key;
    let values = [
        scope,
        currency,
        (&per_payout).into(),
        (&per_day).into(),
        now.into(),
    ];
    database.execute(WRITE, &values).map(drop)
}

/// The payouts of a day, as a limit counts them.
pub(crate) fn paid_out(
    database: &mut dyn Database,
    limit: &PayoutLimit,
    day: i64,
) -> Result<Amount, StoreError> {
    const PAID: &str =
        "SELECT amount FROM payout_days WHERE org_id = ?1 AND currency = ?2 AND day = ?3";
    let scope = limit.scope.text();
    let key = [(&scope).into(), limit.currency.as_str().into(), day.into()];
    match database.query(PAID, &key)?.first() {
        Some(row) => parse(row.text(0)?),
        None => Ok(Amount::ZERO),
    }
}

/// Records the sum of a day's payouts. Deletes the days before.
pub(crate) fn set_paid_out(
    database: &mut dyn Database,
    limit: &PayoutLimit,
    (day, amount): (i64, Amount),
) -> Result<(), StoreError> {
    const WRITE: &str = "INSERT INTO payout_days (org_id, currency, day, amount) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (org_id, currency, day) DO UPDATE SET amount = excluded.amount";
    const FORGET: &str = "DELETE FROM payout_days WHERE org_id = ?1 AND currency = ?2 AND day < ?3";
    let (scope, amount) = (limit.scope.text(), amount.to_string());
    let key = [(&scope).into(), limit.currency.as_str().into(), day.into()];
    database.execute(FORGET, &key)?;
    let [scope, currency, day] = key;
    database
        .execute(WRITE, &[scope, currency, day, (&amount).into()])
        .map(drop)
}
