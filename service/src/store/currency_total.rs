//! Sums of an organisation's records by currency. The functions that write a record keep them up to date, so nobody adds up records.

use settlekit_core::value::{Amount, Currency, OrganisationId};

use super::columns::{self, Columns, columns};
use super::sql::{CachedTable, Change, Database, StoreError, Value};

/// Decimal places of the sums.
pub(crate) const SCALE: u32 = 18;

/// The records of a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TotalKind {
    /// Prices of a period of the active subscriptions. The bucket is the period's length: months, or days negated.
    Subscriptions,
    /// Prices of the invoices that subscriptions issue next. The bucket is the UTC day.
    Renewals,
    /// Payouts that are not confirmed, without those of test networks. The bucket is 0.
    Payouts,
}

impl TotalKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Subscriptions => "subscriptions",
            Self::Renewals => "renewals",
            Self::Payouts => "payouts",
        }
    }
}

/// The sum of the records in one bucket and currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CurrencyTotal {
    pub(crate) bucket: i64,
    pub(crate) currency: Currency,
    pub(crate) count: u64,
    /// In units of the last of [`SCALE`] decimal places.
    pub(crate) units: i128,
}

columns! { CurrencyTotal { bucket, currency, count, units } }

/// The stored values of a sum.
#[derive(Debug, Default)]
struct Stored {
    count: i64,
    units: i128,
}

columns! { Stored { count, units } }

/// A record that enters or leaves a sum.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TotalChange {
    pub(crate) kind: TotalKind,
    pub(crate) bucket: i64,
    pub(crate) amount: Amount,
    /// 1, or -1 if it leaves.
    pub(crate) by: i64,
}

/// Changes different sums of a currency.
pub(crate) fn change(
    database: &mut dyn Database,
    organisation: OrganisationId,
    currency: &Currency,
    changes: &[TotalChange],
) -> Result<(), StoreError> {
    static CACHED: CachedTable = CachedTable::new(
        "currency_totals",
        &["org_id", "kind", "bucket", "currency"],
        &["row_count", "amount"],
        "INSERT INTO currency_totals (org_id, kind, bucket, currency, row_count, amount) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
         ON CONFLICT (org_id, kind, bucket, currency) DO UPDATE SET row_count = excluded.row_count, amount = excluded.amount",
    );
    let keys = changes.iter().map(|change| {
        [
            organisation.into(),
            change.kind.as_str().into(),
            change.bucket.into(),
            currency.as_str().into(),
        ]
    });
    let keys: Vec<[Value<'_>; 4]> = keys.collect();
    let wholes: Vec<&[Value<'_>]> = keys.iter().map(|key| key.as_slice()).collect();
    let rows = database.read_cached(&CACHED, &wholes)?;
    for ((key, row), change) in keys.iter().zip(rows).zip(changes) {
        let before = match row {
            Some(row) => Stored::read(&row, 0)?,
            None => Stored::default(),
        };
        // An amount with more decimal places, or above 79 billion, is counted and not summed.
        let units = change.amount.to_units(SCALE).unwrap_or(0);
        let units = units.saturating_mul(i128::from(change.by));
        let values = [
            (before.count + change.by).into(),
            before.units.saturating_add(units).into(),
        ];
        database.write_cached(&CACHED, key, Change::Set(&values))?;
    }
    Ok(())
}

/// The sums of a kind in some buckets.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    kind: TotalKind,
    (from, to): (i64, i64),
) -> Result<Vec<CurrencyTotal>, StoreError> {
    const LIST: &str = "SELECT bucket, currency, row_count, amount FROM currency_totals \
         WHERE org_id = ?1 AND kind = ?2 AND bucket BETWEEN ?3 AND ?4 AND row_count > 0 ORDER BY bucket, currency";
    let values = [
        organisation.into(),
        kind.as_str().into(),
        from.into(),
        to.into(),
    ];
    columns::all(&database.query(LIST, &values)?)
}
