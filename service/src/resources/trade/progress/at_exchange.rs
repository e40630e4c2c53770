//! Orders that an order at an exchange account covers. The operator gives the bought money from the hot wallet, once the exchange has
//! executed.
//!
//! The merchant gets what was executed and no more: otherwise somebody could trade a tiny part with the operator, and have the rest at
//! a price that the market has left.

use std::time::Duration;

use alloy_primitives::Address;
use settlekit_core::quote::Quote;
use settlekit_core::trade::OrderReason;
use settlekit_core::value::{Amount, ChainId};

use super::executed::{self, Executed};
use super::{LOOK_AFTER, account, damaged, fail, held, money, next_multiple};
use crate::money::exchange::{self, Covering};
use crate::money::ledger::Holder;
use crate::money::rounding::{Rounding, divide_wide};
use crate::resources::account::book::{Held, Money};
use crate::store;
use crate::store::exchange_order::{self, ExchangeOrderStatus, StoredOrder};
use crate::store::execution::OrderTerms;
use crate::store::order::Order;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Unit};

/// Orders that wait for the limits are tried again at multiples of this time, in microseconds: together, so that the oldest is the
/// first.
const RETRY_EVERY: i64 = 5_000_000;

/// The most orders of a merchant that wait; a further one fails.
const WAITING_MAX: u64 = 10;

/// Goes on with a funded order.
pub(super) fn step(
    unit: &mut Unit<'_>,
    order: Order,
    quote: &Quote,
    terms: &OrderTerms,
) -> Outcome<()> {
    let of = (quote.org_id, order.id);
    let Some(placed) = exchange_order::covering(unit.database, of)? else {
        return Ok(start(unit, order, quote, terms)?);
    };
    match placed.status {
        // The outcome is not known: the money stays reserved.
        ExchangeOrderStatus::New | ExchangeOrderStatus::Sent | ExchangeOrderStatus::Unknown => {
            Ok(look_again(unit, order, quote, LOOK_AFTER)?)
        }
        ExchangeOrderStatus::Closed
        | ExchangeOrderStatus::Refused
        | ExchangeOrderStatus::NotPlaced => match executed(unit, &order, quote, &placed)? {
            Some(executed) => settle(unit, order, quote, (&placed, executed)),
            None => {
                let (chain, bought) = bought(unit, quote)?;
                let at = (chain, giving_wallet(&placed)?, &bought.currency);
                exchange::release(unit.database, at, bought.units)?;
                let parts = held(unit, &order, quote)?;
                let reason = OrderReason::VenueRefused;
                Ok(fail(unit, order, (quote.org_id, &parts), reason)?)
            }
        },
    }
}

/// The part of a quote that the exchange has executed, rounded in the operator's favour. `None` if it gives the merchant nothing.
fn executed(
    unit: &mut Unit<'_>,
    order: &Order,
    quote: &Quote,
    placed: &StoredOrder,
) -> Result<Option<Executed>, StoreError> {
    let Some(execution) = &placed.execution else {
        return Ok(None);
    };
    let sold: i128 = held(unit, order, quote)?
        .iter()
        .map(|part| part.money.units)
        .sum();
    let (_, bought) = bought(unit, quote)?;
    let scale = execution.volume.scale().max(placed.volume.scale());
    let units = |volume: Amount| volume.to_units(scale).ok();
    let part = |units: i128, (executed, all): (i128, i128), rounding| {
        divide_wide([units, executed], [all], rounding)
    };
    let parts = units(execution.volume).zip(units(placed.volume));
    let executed = parts.and_then(|of| {
        Some(Executed {
            sold: part(sold, of, Rounding::Up)?.min(sold),
            bought: part(bought.units, of, Rounding::Down)?,
        })
    });
    let executed = executed.ok_or_else(|| damaged("exact execution"))?;
    Ok((executed.bought > 0).then_some(executed))
}

/// The hot wallet that gives what the merchant gets.
fn giving_wallet(placed: &StoredOrder) -> Result<Address, StoreError> {
    let covered = placed.covers.ok_or_else(|| damaged("covered order"))?;
    Ok(covered.wallet)
}

/// The chain on which a quote buys, and what.
fn bought(unit: &mut Unit<'_>, quote: &Quote) -> Result<(ChainId, Money), StoreError> {
    let terms = store::quote::terms(unit.database, quote.org_id, quote.id)?;
    let target = account(unit, quote.org_id, terms.settlement)?;
    let asset = &quote.buy_asset;
    let bought = money(unit, &target, &asset.symbol, asset.amount)?;
    Ok((target.chain_id.ok_or_else(|| damaged("chain"))?, bought))
}

/// Reserves what the merchant will get, and stores the order at the exchange. The order waits while too many are under way. It fails if
/// it can do neither.
fn start(
    unit: &mut Unit<'_>,
    order: Order,
    quote: &Quote,
    terms: &OrderTerms,
) -> Result<(), StoreError> {
    let is_over = quote.ttl_at.is_none_or(|ttl_at| ttl_at <= unit.now);
    let (chain, bought) = bought(unit, quote)?;
    let of = (quote.org_id, order.id);
    let given = (chain, &bought.currency, bought.units);
    let covering = match is_over {
        true => Covering::Refused,
        false => exchange::cover(unit, of, terms, given)?,
    };
    match covering {
        Covering::Stored => return look_again(unit, order, quote, LOOK_AFTER),
        Covering::AtLimit if !has_many_waiting(unit, &order, quote)? => {
            let retry_at = next_multiple(unit.now, RETRY_EVERY);
            return look_again(unit, order, quote, retry_at.since(unit.now));
        }
        Covering::AtLimit | Covering::Refused => {}
    }
    let parts = held(unit, &order, quote)?;
    let reason = OrderReason::VenueRefused;
    fail(unit, order, (quote.org_id, &parts), reason)
}

/// Whether the merchant has too many orders that wait and are older.
fn has_many_waiting(unit: &mut Unit<'_>, order: &Order, quote: &Quote) -> Result<bool, StoreError> {
    let waiting = store::order::waiting_before(unit.database, (quote.org_id, order.id))?;
    Ok(waiting >= WAITING_MAX)
}

fn look_again(
    unit: &mut Unit<'_>,
    order: Order,
    quote: &Quote,
    after: Duration,
) -> Result<(), StoreError> {
    let order = Order {
        due_at: Some(unit.now.plus(after)),
        ..order
    };
    store::order::update(unit.database, quote.org_id, &order, unit.now)
}

/// Books what the exchange has executed of an order, at the price of the quote; the rest is free again.
fn settle(
    unit: &mut Unit<'_>,
    order: Order,
    quote: &Quote,
    (placed, executed): (&StoredOrder, Executed),
) -> Outcome<()> {
    let sold = held(unit, &order, quote)?;
    let [Held { account, money, .. }] = &sold[..] else {
        return Err(damaged("single sold asset").into());
    };
    let sold_on = account.chain_id.ok_or_else(|| damaged("chain"))?;
    let (chain, bought) = bought(unit, quote)?;
    let giving = giving_wallet(placed)?;
    let given = (chain, giving, &bought.currency);
    exchange::release(unit.database, given, bought.units)?;
    exchange::add(unit.database, given, -executed.bought)?;
    // The merchants' money goes on to the wallet in use, from those before it.
    let current = store::wallet::current(unit.database)?;
    let taking = current.map_or(giving, |wallet| wallet.address);
    let taken = (sold_on, taking, &money.currency);
    exchange::add(unit.database, taken, executed.sold)?;
    executed::settle(unit, order, quote, executed, Holder::Exchange)
}
