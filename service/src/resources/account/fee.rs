//! Service fees on deposits and payouts: a percentage per account.
//!
//! An account without a percentage has its parent's. Fees are rounded down.

use settlekit_core::account::{Account, MovementType};
use settlekit_core::value::{Amount, Currency, Number};

use super::book::{self, Money};
use super::split::part;
use crate::money::rounding::{Rounding, multiply_divide};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Decimal places of a percentage, at most.
const PLACES_MAX: u32 = 10;

/// Charges the fee on a deposit just booked; returns the rest of the deposit. The merchant's own wallet is not charged, because
/// the service does not hold it.
pub(crate) fn charge_payin(
    unit: &mut Unit<'_>,
    account: &Account,
    units: i128,
    currency: &Currency,
    entity: Option<String>,
) -> Result<i128, StoreError> {
    let fee = of(unit, account, units, |account| account.payin_fee_pct)?;
    if fee == 0 || !account.is_held() {
        return Ok(units);
    }
    let money = Money::new(currency, fee);
    // The deposit covers its own fee, so no rule can refuse it.
    book::charge(unit, account, MovementType::ServiceFee, &money, entity)
        .map_err(|refusal| refusal.unexpected("a fee was refused"))?;
    Ok(units - fee)
}

/// The fee on a payout, in the currency's smallest unit.
pub(crate) fn of_payout(
    unit: &mut Unit<'_>,
    account: &Account,
    units: i128,
) -> Result<i128, StoreError> {
    of(unit, account, units, |account| account.payout_fee_pct)
}

/// The deposit that leaves `units` after the fee, rounded up; `None` if there is none or on overflow.
pub(crate) fn raised(
    unit: &mut Unit<'_>,
    account: &Account,
    units: i128,
) -> Result<Option<i128>, StoreError> {
    let agreed = percentage_of(unit, account, |account| account.payin_fee_pct)?;
    let Some(pct) = agreed.filter(|_| account.is_held()) else {
        return Ok(Some(units));
    };
    let whole = 100 * 10_i128.pow(PLACES_MAX);
    let left = whole - pct.to_units(PLACES_MAX).unwrap_or(whole);
    Ok(multiply_divide(units, whole, left, Rounding::Up))
}

/// The percentage of an account, else its parent's.
fn percentage_of(
    unit: &mut Unit<'_>,
    account: &Account,
    agreed: impl Fn(&Account) -> Option<Number>,
) -> Result<Option<Number>, StoreError> {
    match (agreed(account), account.parent_id) {
        (Some(pct), _) => Ok(Some(pct)),
        (None, Some(parent)) => {
            let parent = store::account::LISTING.find(unit.database, account.org_id, parent)?;
            Ok(parent.as_ref().and_then(agreed))
        }
        (None, None) => Ok(None),
    }
}

fn of(
    unit: &mut Unit<'_>,
    account: &Account,
    units: i128,
    agreed: impl Fn(&Account) -> Option<Number>,
) -> Result<i128, StoreError> {
    let Some(pct) = percentage_of(unit, account, agreed)? else {
        return Ok(0);
    };
    pct.to_units(PLACES_MAX)
        .ok()
        .and_then(|pct| Amount::from_units(pct, PLACES_MAX).ok())
        .and_then(|pct| part(units, pct))
        .ok_or_else(|| StoreError::Damaged("a fee's percentage is malformed".into()))
}
