//! Exchange rates and their history.

use settlekit_core::rate::{HourlyRate, ListRateHistory, ListRates, RateList, RatePeriod};

use crate::money::rates;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn list_rates(unit: &mut Unit<'_>, _: Received<ListRates>) -> Outcome<RateList> {
    Ok(rates::list(unit)?)
}

/// A currency without a price has no history.
pub(crate) fn list_rate_history(
    unit: &mut Unit<'_>,
    call: Received<ListRateHistory>,
) -> Outcome<Vec<HourlyRate>> {
    let period = call.query.period.unwrap_or(RatePeriod::Week);
    Ok(rates::history(unit, &call.path.currency, &period)?)
}
