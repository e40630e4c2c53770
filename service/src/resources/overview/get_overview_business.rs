//! Recurring revenue, churn, conversion, and what is due in the next days, from stored sums and counts: the cost does not grow with the records.

use std::collections::BTreeMap;

use settlekit_core::overview::{CurrencyTotal, GetOverviewBusiness, OverviewBusiness};
use settlekit_core::value::{Amount, Currency};

use crate::money::prices;
use crate::money::rounding::{Rounding, divide_wide, percent};
use crate::store::currency_total::{self, SCALE, TotalKind};
use crate::store::paylink_day::{self, PaylinkCounts};
use crate::store::sql::StoreError;
use crate::store::{counter, subscription_day};
use crate::unit::{Outcome, Received, Unit};

/// Days of churn and conversion, including today.
const RECENT_DAYS: i64 = 30;

/// Days of renewals, including today.
const DUE_DAYS: i64 = 7;

/// Months and days of a year.
const YEAR: (i128, i128) = (12, 365);

/// Number and sum of records by currency, in units of the last of [`SCALE`] decimal places.
type Sums = BTreeMap<Currency, (u64, i128)>;

pub(crate) fn get_overview_business(
    unit: &mut Unit<'_>,
    call: Received<GetOverviewBusiness>,
) -> Outcome<OverviewBusiness> {
    let organisation = call.caller.organisation;
    let today = unit.now.day_number();
    let mut sums_of = |kind, buckets| -> Result<Sums, StoreError> {
        let mut sums = Sums::new();
        for total in currency_total::list(unit.database, organisation, kind, buckets)? {
            let units = match kind {
                TotalKind::Subscriptions => monthly(total.units, total.bucket)?,
                TotalKind::Renewals | TotalKind::Payouts => total.units,
            };
            let sum = sums.entry(total.currency).or_default();
            *sum = (sum.0 + total.count, sum.1.saturating_add(units));
        }
        Ok(sums)
    };
    let revenue = sums_of(TotalKind::Subscriptions, (i64::MIN, i64::MAX))?;
    let renewals = sums_of(TotalKind::Renewals, (today, today + DUE_DAYS - 1))?;
    let payouts = sums_of(TotalKind::Payouts, (0, 0))?;
    let has_prices = prices::is_connected(unit)?;
    let prices = prices::of(unit, revenue.keys())?;
    let worth = revenue
        .iter()
        .try_fold(0_i128, |sum, (currency, (_, units))| {
            sum.checked_add(prices.usd_of(*units, SCALE, currency)?)
        });
    let running = counter::read(unit.database, organisation, subscription_day::RUNNING)?;
    let since = today - RECENT_DAYS + 1;
    let changes = subscription_day::since(unit.database, organisation, since)?;
    let ended = u64::try_from(changes.ended).unwrap_or(0);
    let links = paylink_day::since(unit.database, organisation, None, since)?;
    let links = links.into_iter().map(|(_, counts)| counts);
    let links = links.fold(PaylinkCounts::default(), PaylinkCounts::plus);
    let running_before = (running + ended).saturating_sub(changes.began.unsigned_abs());
    Ok(OverviewBusiness {
        monthly_revenue: shown(unit, revenue)?,
        // Without a price source, that of no subscriptions is unknown too.
        monthly_revenue_usd: worth.filter(|_| has_prices).and_then(prices::usd_shown),
        subscriptions_running: running,
        subscriptions_running_before: running_before,
        subscriptions_ended: ended,
        churn_pct: percent(ended, running_before),
        renewals: shown(unit, renewals)?,
        payouts: shown(unit, payouts)?,
        link_visits: links.visits,
        checkouts_started: links.checkouts,
        checkouts_paid: links.payments,
        conversion_pct: percent(links.payments, links.checkouts),
    })
}

fn too_large() -> StoreError {
    StoreError::Broken("a sum is too large to represent".into())
}

/// A sum of prices divided by the months of their period: of months, or of days negated.
fn monthly(units: i128, period: i64) -> Result<i128, StoreError> {
    let (months, days) = YEAR;
    let length = i128::from(period).abs();
    let monthly = match period {
        1.. => divide_wide([units], [length], Rounding::HalfEven),
        _ => divide_wide([units, days], [length, months], Rounding::HalfEven),
    };
    monthly.ok_or_else(too_large)
}

/// An amount with as many decimal places as can be stored.
fn amount(units: i128) -> Result<Amount, StoreError> {
    let places = (0..=SCALE).rev();
    let mut amounts = places.filter_map(|places| {
        let by = 10_i128.checked_pow(SCALE - places)?;
        let units = divide_wide([units], [by], Rounding::HalfEven)?;
        Amount::from_units(units, places).ok()
    });
    amounts.next().ok_or_else(too_large)
}

fn shown(unit: &mut Unit<'_>, sums: Sums) -> Result<Vec<CurrencyTotal>, StoreError> {
    let prices = prices::of(unit, sums.keys())?;
    let sums = sums.into_iter().map(|(currency, (count, units))| {
        let usd = prices.usd_of(units, SCALE, &currency);
        Ok(CurrencyTotal {
            count,
            amount: amount(units)?,
            amount_usd: usd.and_then(prices::usd_shown),
            currency,
        })
    });
    sums.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One whole unit.
    const ONE: i128 = 10_i128.pow(SCALE);

    #[test]
    fn a_price_is_divided_by_the_months_of_its_period() {
        for (price, period, expected) in [
            (30, 1, "30"),
            (30, 3, "10"),
            (120, 12, "10"),
            (100, 12, "8.333333333333333333"),
            // A day is a 365th of a year, a week seven of them.
            (12, -1, "365"),
            (84, -7, "365"),
            (12, -365, "1"),
        ] {
            let monthly = monthly(price * ONE, period).and_then(amount);
            let monthly = monthly.map(|amount| amount.to_string());
            assert_eq!(monthly.as_deref(), Ok(expected), "{price} per {period}");
        }
    }

    #[test]
    fn a_large_sum_keeps_the_decimal_places_that_fit() {
        for (units, expected) in [
            (0, "0"),
            (ONE / 2, "0.5"),
            (1_000_000_000_000 * ONE, "1000000000000"),
            (
                1_000_000_000_000 * ONE / 3,
                "333333333333.33333333333333333",
            ),
        ] {
            let amount = amount(units).map(|amount| amount.to_string());
            assert_eq!(amount.as_deref(), Ok(expected), "{units}");
        }
    }
}
