//! Parts of orders that an order at an exchange account covers. The operator gives the bought money from the hot wallet, once the exchange has
//! executed.
//!
//! The merchant gets the executed amount only: otherwise a merchant could trade a tiny part with the operator, and the rest at an
//! outdated price.

use alloy_primitives::Address;
use settlekit_core::value::Amount;

use super::part::{Executed, LOOK_AFTER, OpenPart, Progress, next_multiple};
use crate::money::exchange::{self, Covering};
use crate::money::ledger::Holder;
use crate::money::rounding::{Rounding, divide_wide};
use crate::resources::trade::order::damaged;
use crate::store;
use crate::store::exchange_order::{self, ExchangeOrderStatus, StoredOrder};
use crate::store::execution::OrderTerms;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Parts that wait for the limits are tried again at multiples of this time, in microseconds: together, so that the oldest is the
/// first.
const RETRY_EVERY: i64 = 5_000_000;

/// The most orders of a merchant that wait; the parts of a further one end without execution.
const WAITING_MAX: usize = 10;

/// Goes on with a part.
pub(super) fn step(
    unit: &mut Unit<'_>,
    part: &OpenPart,
    terms: &OrderTerms,
) -> Result<Progress, StoreError> {
    let Some(placed) = exchange_order::covering(unit.database, part.of)? else {
        return start(unit, part, terms);
    };
    match placed.status {
        // The outcome is not known: the money stays reserved.
        ExchangeOrderStatus::New | ExchangeOrderStatus::Sent | ExchangeOrderStatus::Unknown => {
            Ok(Progress::Waits(unit.now.plus(LOOK_AFTER)))
        }
        ExchangeOrderStatus::Closed
        | ExchangeOrderStatus::Refused
        | ExchangeOrderStatus::NotPlaced => {
            let executed = executed(part, &placed)?;
            move_position(unit, part, (&placed, executed))?;
            Ok(Progress::Ended(executed))
        }
    }
}

/// The amounts that the exchange has executed, rounded in the operator's favour. `None` if they give the merchant nothing.
fn executed(part: &OpenPart, placed: &StoredOrder) -> Result<Option<Executed>, StoreError> {
    let Some(execution) = &placed.execution else {
        return Ok(None);
    };
    let sold = part.held.money.units;
    let scale = execution.volume.scale().max(placed.volume.scale());
    let units = |volume: Amount| volume.to_units(scale).ok();
    let share = |units: i128, (executed, all): (i128, i128), rounding| {
        divide_wide([units, executed], [all], rounding)
    };
    let volumes = units(execution.volume).zip(units(placed.volume));
    let executed = volumes.and_then(|of| {
        Some(Executed {
            sold: share(sold, of, Rounding::Up)?.min(sold),
            bought: share(part.bought.units, of, Rounding::Down)?,
            with: Holder::Exchange,
        })
    });
    let executed = executed.ok_or_else(|| damaged("exact execution"))?;
    Ok((executed.bought > 0).then_some(executed))
}

/// The hot wallet that pays the merchant.
fn giving_wallet(placed: &StoredOrder) -> Result<Address, StoreError> {
    let covered = placed.covers.ok_or_else(|| damaged("covered order"))?;
    Ok(covered.wallet)
}

/// Reserves the amount for the merchant, and stores the order at the exchange. The part waits while too many are under way. It ends if it
/// can do neither.
fn start(unit: &mut Unit<'_>, part: &OpenPart, terms: &OrderTerms) -> Result<Progress, StoreError> {
    if part.ttl_at.is_none_or(|ttl_at| ttl_at <= unit.now) {
        return Ok(Progress::Ended(None));
    }
    let given = (part.chain, &part.bought.currency, part.bought.units);
    match exchange::cover(unit, part.of, terms, given)? {
        Covering::Stored => Ok(Progress::Waits(unit.now.plus(LOOK_AFTER))),
        Covering::AtLimit if !has_many_waiting(unit, part)? => {
            Ok(Progress::Waits(next_multiple(unit.now, RETRY_EVERY)))
        }
        Covering::AtLimit | Covering::Refused => Ok(Progress::Ended(None)),
    }
}

/// Whether the merchant has too many orders that wait and are older.
fn has_many_waiting(unit: &mut Unit<'_>, part: &OpenPart) -> Result<bool, StoreError> {
    let waiting = exchange_order::waiting_before(unit.database, part.of, WAITING_MAX)?;
    Ok(waiting == WAITING_MAX)
}

/// Releases the operator's money that was reserved for a part, and moves the executed amounts.
fn move_position(
    unit: &mut Unit<'_>,
    part: &OpenPart,
    (placed, executed): (&StoredOrder, Option<Executed>),
) -> Result<(), StoreError> {
    let giving = giving_wallet(placed)?;
    let given = (part.chain, giving, &part.bought.currency);
    exchange::release(unit.database, given, part.bought.units)?;
    let Some(executed) = executed else {
        return Ok(());
    };
    exchange::add(unit.database, given, -executed.bought)?;
    // The merchants' money is sent from replaced wallets to the one in use.
    let current = store::wallet::current_wallet(unit.database)?;
    let taking = current.map_or(giving, |wallet| wallet.address);
    let sold_on = part.held.account.chain_id.ok_or_else(|| damaged("chain"))?;
    let taken = (sold_on, taking, &part.held.money.currency);
    exchange::add(unit.database, taken, executed.sold)
}
