//! The worth of money when it is booked.

use settlekit_core::value::amount::UNITS_MAX;
use settlekit_core::value::{Amount, Currency, OrganisationId, Timestamp};

use super::price::Price;
use super::prices::{self, Prices, in_units};
use super::rounding::Rounding;
use crate::store;
use crate::store::movement::{WORTH_SCALE, Worth};
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The worth of an amount now, in US dollars and in the organisation's own currency. Without a price it is left out. Money of test
/// networks is not asked about: it has none.
pub(crate) fn worth_now(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    amount: Amount,
    currency: &Currency,
) -> Result<Worth, StoreError> {
    let own = reporting_currency(unit, organisation)?;
    let prices = prices::of(unit, std::iter::once(currency).chain(&own))?;
    let scale = amount.scale();
    let units = amount.to_units(scale).ok();
    let usd = units.and_then(|units| prices.usd_of(units, scale, currency));
    let reporting = own.and_then(|own| {
        let worth = if own == *currency {
            in_units(amount, WORTH_SCALE, Rounding::HalfEven)?
        } else {
            let half_even = Rounding::HalfEven;
            let converted = prices.convert(amount, currency, &own, WORTH_SCALE, half_even);
            converted?.ok()?
        };
        Some((own, worth))
    });
    Ok(Worth {
        usd: usd.filter(|worth| *worth <= UNITS_MAX),
        reporting: reporting.filter(|(_, worth)| *worth <= UNITS_MAX),
    })
}

/// The last price of a currency that has none now, and its time. It is for display only.
pub(crate) fn last_price(
    unit: &mut Unit<'_>,
    prices: &Prices,
    currency: &Currency,
) -> Result<Option<(Price, Timestamp)>, StoreError> {
    if !prices.is_unavailable(currency) {
        return Ok(None);
    }
    let last = store::price::last_used(unit.database, currency, i64::MAX)?;
    Ok(last.and_then(|last| Some((Price::new(last.price)?, last.used_at))))
}

/// The organisation's own currency. It is read once per unit.
fn reporting_currency(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
) -> Result<Option<Currency>, StoreError> {
    if let Some(known) = unit.reporting_currencies.get(&organisation) {
        return Ok(known.clone());
    }
    let read = store::organisation::reporting_currency(unit.database, organisation)?;
    unit.reporting_currencies.insert(organisation, read.clone());
    Ok(read)
}
