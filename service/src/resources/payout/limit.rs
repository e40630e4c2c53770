//! Limits on payouts: one above a limit waits for a second member. Payouts on test networks neither wait nor count: their money is free,
//! and would use up the day's limit.

use settlekit_core::payment::{Payment, PayoutApproval, PayoutLimitScope, PayoutLimitType};
use settlekit_core::value::{Amount, ChainId, Currency, OrganisationId};

use crate::money::test_network::is_test_network;
use crate::store;
use crate::store::payout_limit::LimitScope;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The limit that a new payout is above, and by how much. One that is above none counts for its day.
pub(super) fn exceeded(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    chain: ChainId,
    (amount, currency): (Amount, &Currency),
) -> Result<Option<PayoutApproval>, StoreError> {
    if is_test_network(unit, chain)? {
        return Ok(None);
    }
    let day = unit.now.day_number();
    let mut days = Vec::new();
    for limit in store::payout_limit::lock(unit.database, organisation, currency)? {
        if let Some(most) = limit.per_payout.filter(|most| amount > *most) {
            let excess = amount.minus(most).ok();
            let above = (most, PayoutLimitType::PerPayout, excess);
            return Ok(Some(waits_for(limit.scope, above)));
        }
        if let Some(most) = limit.per_day {
            let before = store::payout_limit::paid_out(unit.database, &limit, day)?;
            // A sum without an exact form is above any limit.
            match before.plus(amount) {
                Ok(after) if after <= most => days.push((limit, after)),
                after => {
                    let excess = after.and_then(|after| after.minus(most)).ok();
                    // The sum of the installation includes payouts of other organisations.
                    let is_own = limit.scope != LimitScope::Installation;
                    let above = (most, PayoutLimitType::PerDay, excess.filter(|_| is_own));
                    return Ok(Some(waits_for(limit.scope, above)));
                }
            }
        }
    }
    for (limit, after) in days {
        store::payout_limit::set_paid_out(unit.database, &limit, (day, after))?;
    }
    Ok(None)
}

fn waits_for(
    scope: LimitScope,
    (limit, limit_type, excess): (Amount, PayoutLimitType, Option<Amount>),
) -> PayoutApproval {
    PayoutApproval {
        limit,
        limit_type,
        limit_scope: match scope {
            LimitScope::Installation => PayoutLimitScope::Installation,
            LimitScope::Organisation(_) => PayoutLimitScope::Organisation,
        },
        excess,
        requested_by: None,
        decided_by: None,
        decided_at: None,
    }
}

/// Counts a payout that a second member approved. Its day may end above its limit.
pub(super) fn count_approved(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    chain: Option<ChainId>,
    (amount, currency): (Amount, &Currency),
) -> Result<(), StoreError> {
    if let Some(chain) = chain
        && is_test_network(unit, chain)?
    {
        return Ok(());
    }
    let day = unit.now.day_number();
    for limit in store::payout_limit::lock(unit.database, organisation, currency)? {
        let Some(most) = limit.per_day else { continue };
        let before = store::payout_limit::paid_out(unit.database, &limit, day)?;
        let after = before.plus(amount).unwrap_or(most);
        store::payout_limit::set_paid_out(unit.database, &limit, (day, after))?;
    }
    Ok(())
}

/// Takes a canceled payout out of the sums of today: otherwise a merchant could use up the day of the whole installation with the same
/// money, for nothing. A limit that was set since may not have counted it, and keeps its sum.
pub(super) fn subtract_canceled(unit: &mut Unit<'_>, payout: &Payment) -> Result<(), StoreError> {
    let counted_at = match &payout.approval {
        None => Some(payout.created_at),
        // `None` while it waits: it counted for no day.
        Some(approval) => approval.decided_at,
    };
    let day = unit.now.day_number();
    let Some(counted_at) = counted_at.filter(|at| at.day_number() == day) else {
        return Ok(());
    };
    if let Some(chain) = payout.chain_id
        && is_test_network(unit, chain)?
    {
        return Ok(());
    }
    for limit in store::payout_limit::lock(unit.database, payout.org_id, &payout.currency)? {
        if limit.per_day.is_none()
            || !store::payout_limit::is_unchanged_since(unit.database, &limit, counted_at)?
        {
            continue;
        }
        let before = store::payout_limit::paid_out(unit.database, &limit, day)?;
        // A sum without an exact form stays.
        let after = before.minus(payout.amount).unwrap_or(before);
        let after = after.max(Amount::ZERO);
        store::payout_limit::set_paid_out(unit.database, &limit, (day, after))?;
    }
    Ok(())
}
