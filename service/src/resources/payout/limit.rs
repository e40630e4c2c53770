//! Limits on payouts: what is above one waits for a second member.

use settlekit_core::value::{Amount, Currency, OrganisationId};

use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Whether a new payout is above a limit. One that is not counts for its day.
pub(super) fn is_above(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    (amount, currency): (Amount, &Currency),
) -> Result<bool, StoreError> {
    let day = unit.now.day_number();
    let mut days = Vec::new();
    for limit in store::payout_limit::lock(unit.database, organisation, currency)? {
        if limit.per_payout.is_some_and(|most| amount > most) {
            return Ok(true);
        }
        if let Some(most) = limit.per_day {
            let before = store::payout_limit::paid_out(unit.database, &limit, day)?;
            // A sum without an exact form is above any limit.
            match before.plus(amount) {
                Ok(after) if after <= most => days.push((limit, after)),
                _ => return Ok(true),
            }
        }
    }
    for (limit, after) in days {
        store::payout_limit::set_paid_out(unit.database, &limit, (day, after))?;
    }
    Ok(false)
}

/// Counts a payout that a second member approved. Its day may end above its limit.
pub(super) fn count_approved(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    (amount, currency): (Amount, &Currency),
) -> Result<(), StoreError> {
    let day = unit.now.day_number();
    for limit in store::payout_limit::lock(unit.database, organisation, currency)? {
        let Some(most) = limit.per_day else { continue };
        let before = store::payout_limit::paid_out(unit.database, &limit, day)?;
        let after = before.plus(amount).unwrap_or(most);
        store::payout_limit::set_paid_out(unit.database, &limit, (day, after))?;
    }
    Ok(())
}
