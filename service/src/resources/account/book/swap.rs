//! Swaps of currencies on one account.

use settlekit_core::account::{Account, Direction, MovementType};
use settlekit_core::error::Reason;
use settlekit_core::value::{Amount, Currency};

use super::{Entry, Money, enter_confirmed, leg, legs_out, scale};
use crate::money::ledger::{Holder, post};
use crate::money::prices;
use crate::money::rounding::Rounding;
use crate::unit::{Outcome, Refusal, Unit};

/// Swaps one currency for another on the same account, at the venue's rate.
pub(crate) fn swap(
    unit: &mut Unit<'_>,
    account: &Account,
    sold: &Money,
    bought: &Currency,
) -> Outcome<()> {
    let (sold_scale, bought_scale) = (
        scale(unit, account, &sold.currency)?,
        scale(unit, account, bought)?,
    );
    let amount =
        Amount::from_units(sold.units, sold_scale).map_err(|_| Refusal::amount_too_large())?;
    // Only simulated venues trade at this rate.
    unit.need_simulation()?;
    let prices = prices::of(unit, [&sold.currency, bought])?;
    let units = prices
        .convert(amount, &sold.currency, bought, bought_scale, Rounding::Down)
        .and_then(Result::ok)
        .filter(|units| *units > 0)
        .ok_or_else(|| {
            Refusal::because(
                Reason::NotSupported,
                "no exchange rate exists between the currencies",
            )
        })?;
    let got = Money::new(bought, units);
    let mut legs = Vec::from(legs_out(account, sold, Holder::Venue)?);
    legs.push(leg(account, Holder::Venue, &got, -1)?);
    legs.push(leg(account, Holder::Merchant(account.id), &got, 1)?);
    let number = post(unit, account.org_id, "swap", None, &legs)?;
    for (money, direction) in [(sold, Direction::Out), (&got, Direction::In)] {
        let entry = Entry::of(direction, MovementType::Swap, money);
        enter_confirmed(unit, account, entry, number)?;
    }
    Ok(())
}
