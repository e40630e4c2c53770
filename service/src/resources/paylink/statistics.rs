//! How often a payment link was opened, checked out and paid.

use settlekit_core::paylink::{PaylinkDay, PaylinkStatistics};
use settlekit_core::value::{OrganisationId, PaylinkId, Timestamp};

use crate::money::rounding::percent;
use crate::store::paylink_day::{self, PaylinkCounts};
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Days of statistics, including today.
const DAYS: i64 = 30;

/// The statistics of a link; `None` if nothing happened at it.
pub(super) fn statistics(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    link: PaylinkId,
) -> Result<Option<PaylinkStatistics>, StoreError> {
    let since = unit.now.day_number() - DAYS + 1;
    let counted = paylink_day::since(unit.database, organisation, Some(link), since)?;
    if counted.is_empty() {
        return Ok(None);
    }
    let counts = counted.iter().map(|(_, counts)| *counts);
    let sum = counts.fold(PaylinkCounts::default(), PaylinkCounts::plus);
    let days = counted.into_iter().map(|(day, counts)| PaylinkDay {
        date: Timestamp::from_day_number(day).day(),
        visits: counts.visits,
        checkouts_started: counts.checkouts,
        payments: counts.payments,
    });
    Ok(Some(PaylinkStatistics {
        visits: sum.visits,
        checkouts_started: sum.checkouts,
        payments: sum.payments,
        conversion_pct: percent(sum.payments, sum.checkouts),
        days: days.collect(),
    }))
}
