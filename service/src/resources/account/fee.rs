//! What the service takes of what comes in and goes out: a percentage of it, agreed per account.
//!
//! An account without a percentage of its own has that of the account above it. Fees are rounded down.

use settlekit_core::account::{Account, MovementType};
use settlekit_core::value::{Amount, Currency, Number};

use super::book::{self, Money};
use super::split::part;
use crate::money::rounding::{Rounding, multiply_divide};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::unit::refusal::Refusal;

/// No percentage is finer than this.
const PLACES_MAX: u32 = 10;

/// Charges what the service takes of a deposit that was just booked; gives what is left of the deposit. Nothing is taken out of a
/// wallet of the merchant's own, which the service does not hold.
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
    let money = Money {
        currency: currency.clone(),
        units: fee,
    };
    match book::charge(unit, account, MovementType::ServiceFee, &money, entity) {
        Ok(()) => Ok(units - fee),
        Err(Refusal::Store(error)) => Err(error),
        // The deposit covers its own fee, so the rules have nothing to refuse.
        Err(_) => Err(StoreError::Broken("a fee was refused".into())),
    }
}

/// What the service takes of a payout of so many units.
pub(crate) fn of_payout(
    unit: &mut Unit<'_>,
    account: &Account,
    units: i128,
) -> Result<i128, StoreError> {
    of(unit, account, units, |account| account.payout_fee_pct)
}

/// What has to come in so that so many units are left of it, rounded up; none when nothing would be left or it is too much.
pub(crate) fn raised(
    unit: &mut Unit<'_>,
    account: &Account,
    units: i128,
) -> Result<Option<i128>, StoreError> {
    let agreed = agreed_for(unit, account, |account| account.payin_fee_pct)?;
    let Some(pct) = agreed.filter(|_| account.is_held()) else {
        return Ok(Some(units));
    };
    let whole = 100 * 10_i128.pow(PLACES_MAX);
    let left = whole - pct.to_units(PLACES_MAX).unwrap_or(whole);
    Ok(multiply_divide(units, whole, left, Rounding::Up))
}

/// The percentage that an account has, or the one above it.
fn agreed_for(
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
    let Some(pct) = agreed_for(unit, account, agreed)? else {
        return Ok(0);
    };
    pct.to_units(PLACES_MAX)
        .ok()
        .and_then(|pct| Amount::from_units(pct, PLACES_MAX).ok())
        .and_then(|pct| part(units, pct))
        .ok_or_else(|| StoreError::Damaged("a fee's percentage is malformed".into()))
}
