//! Executes the parts of an order, each on its own. A part is one sold asset, traded by a swap or an exchange order. The order
//! ends with the last part.
//!
//! A part is booked when it ends, in the same transaction: the books agree with the chain and the exchange while other parts are under
//! way. Parts can't be undone, so a failed part doesn't stop the others.

use serde_json::Value;
use settlekit_core::account::MovementFailure;
use settlekit_core::quote::Quote;
use settlekit_core::trade::{OrderReason, OrderStatus, QuickTrade};
use settlekit_core::value::{Amount, Number, Timestamp};

use super::part::{Executed, OpenPart, Progress};
use super::{at_exchange, on_chain};
use crate::chains::swap::{self, SwapState};
use crate::money::ledger::Holder;
use crate::money::prices::USD_SCALE;
use crate::money::rounding::{Rounding, divide_wide};
use crate::resources::account::book::{self, Held, Money};
use crate::resources::quote::RATE_SCALE;
use crate::resources::trade::order::{
    account, damaged, end, held, move_to, or_reason, quote_of, send_out,
};
use crate::store;
use crate::store::execution::Execution;
use crate::store::order::{Order, OrderPart, PartOutcome};
use crate::store::quote::Terms;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Unit, due_job};

/// Goes on with all parts of a funded order.
pub(super) fn step(
    unit: &mut Unit<'_>,
    mut order: Order,
    quote: &Quote,
    terms: &Terms,
) -> Outcome<()> {
    let mut due_at: Option<Timestamp> = None;
    let held = held(unit, &order, quote)?;
    for (part, held) in (0_u32..).zip(held) {
        if order.outcomes.contains_key(&part) {
            continue;
        }
        let open = open_part(unit, &order, quote, (terms, part), held)?;
        // A part whose data fails stops no other.
        let mut waits = Some(unit.now.plus(due_job::RETRY_AFTER));
        due_job::run(unit, &open.of.to_string(), |unit| {
            let mut stepped = order.clone();
            waits = step_part(unit, &mut stepped, (quote, terms), open)?;
            order = stepped;
            Ok(())
        })?;
        due_at = due_at.into_iter().chain(waits).min();
    }
    match due_at {
        Some(due_at) => {
            let due_at = Some(due_at);
            let order = Order { due_at, ..order };
            Ok(store::order::update(
                unit.database,
                quote.org_id,
                &order,
                unit.now,
            )?)
        }
        None => finish(unit, order, quote, terms),
    }
}

/// Goes on with a part, and books it if it has ended; else the time to look at it again.
fn step_part(
    unit: &mut Unit<'_>,
    order: &mut Order,
    (quote, terms): (&Quote, &Terms),
    open: OpenPart,
) -> Outcome<Option<Timestamp>> {
    let index = usize::try_from(open.of.part).map_err(|_| damaged("part"))?;
    let of_part = terms.executions.get(index);
    let of_part = of_part.ok_or_else(|| damaged("part"))?;
    let progress = match &of_part.execution {
        Execution::Swap(swap) => on_chain::step(unit, &open, swap)?,
        Execution::Order(terms) => at_exchange::step(unit, &open, terms)?,
    };
    match progress {
        Progress::Waits(until) => Ok(Some(until)),
        Progress::Ended(executed) => {
            book_part(unit, order, (quote, terms), open, executed)?;
            Ok(None)
        }
    }
}

/// Goes on with an order after a transaction of one of its parts has ended.
pub(crate) fn swap_ended(unit: &mut Unit<'_>, of: OrderPart) -> Outcome<()> {
    let order = store::order::ORDERS.lock(unit.database, of.organisation, of.order)?;
    let order = order.ok_or_else(|| StoreError::Damaged("a swap has no order".to_owned()))?;
    let is_over = order.record.status != OrderStatus::Processing || order.due_at.is_none();
    // It has ended before: a reorganisation has brought its transactions again.
    if is_over || order.outcomes.contains_key(&of.part) {
        return Ok(());
    }
    let quote = quote_of(unit, of.organisation, &order)?;
    match swap::state(unit, of)? {
        SwapState::UnderWay => Ok(()),
        SwapState::Settled(swapped) => {
            let executed = Executed {
                sold: swapped.sold,
                bought: swapped.bought,
                with: Holder::Venue,
            };
            end_part(unit, order, &quote, (of.part, Some(executed)))
        }
        SwapState::Failed => {
            end_part(unit, order, &quote, (of.part, None))?;
            Ok(swap::revoke(unit, of)?)
        }
    }
}

/// Books a part of a locked order that has ended, and ends the order with the last one.
fn end_part(
    unit: &mut Unit<'_>,
    mut order: Order,
    quote: &Quote,
    (part, executed): (u32, Option<Executed>),
) -> Outcome<()> {
    let terms = store::quote::terms(unit.database, quote.org_id, quote.id)?;
    let index = usize::try_from(part).map_err(|_| damaged("part"))?;
    let held = held(unit, &order, quote)?.into_iter().nth(index);
    let held = held.ok_or_else(|| damaged("part"))?;
    let open = open_part(unit, &order, quote, (&terms, part), held)?;
    book_part(unit, &mut order, (quote, &terms), open, executed)?;
    if order.outcomes.len() < terms.executions.len() {
        let organisation = quote.org_id;
        return Ok(store::order::update(
            unit.database,
            organisation,
            &order,
            unit.now,
        )?);
    }
    finish(unit, order, quote, &terms)
}

fn open_part(
    unit: &mut Unit<'_>,
    order: &Order,
    quote: &Quote,
    (terms, part): (&Terms, u32),
    held: Held,
) -> Result<OpenPart, StoreError> {
    let index = usize::try_from(part).map_err(|_| damaged("part"))?;
    let of_part = terms.executions.get(index);
    let of_part = of_part.ok_or_else(|| damaged("part"))?;
    let target = account(unit, quote.org_id, terms.settlement)?;
    Ok(OpenPart {
        of: OrderPart {
            organisation: quote.org_id,
            order: order.id,
            part,
        },
        held,
        bought: Money::new(&quote.buy_asset.symbol, of_part.bought),
        chain: target.chain_id.ok_or_else(|| damaged("chain"))?,
        ttl_at: quote.ttl_at,
    })
}

/// Books the amounts that a part has traded and releases the rest. They are booked even if the account was deleted.
fn book_part(
    unit: &mut Unit<'_>,
    order: &mut Order,
    (quote, terms): (&Quote, &Terms),
    part: OpenPart,
    executed: Option<Executed>,
) -> Outcome<()> {
    let Some(Executed { sold, bought, with }) = executed else {
        let Held {
            account,
            money,
            movement,
        } = &part.held;
        let failure = &MovementFailure::NotExecuted;
        book::fail_reserved(unit, account, movement, money, failure)
            .map_err(|refusal| refusal.unexpected("the reserved amount cannot be released"))?;
        let nothing = PartOutcome {
            sold: 0,
            bought: 0,
            reserved: false,
        };
        order.outcomes.insert(part.of.part, nothing);
        return Ok(());
    };
    let entity = order.id.to_string();
    let mut held = part.held;
    if sold < held.money.units {
        book::hold_less(unit, &mut held, sold, &entity)?;
    }
    // A router pays wrapped coins with coins that others left there.
    let sold_money = match held.money.units > 0 {
        true => std::slice::from_ref(&held),
        false => &[],
    };
    let target = account(unit, quote.org_id, terms.settlement)?;
    let currency = &quote.buy_asset.symbol;
    let received = Money::new(currency, bought);
    // The venue has taken its fee.
    let fee = Money::new(currency, 0);
    let received_with_fee = (&received, &fee);
    book::settle(
        unit,
        sold_money,
        &target,
        received_with_fee,
        (with, &entity),
    )?;
    let is_last = order.outcomes.len() + 1 >= terms.executions.len();
    let reserved = match is_last || address(quote).is_none() {
        true => false,
        // An account that owes something keeps less than it got.
        false => {
            let kept = unit.attempt(|unit| book::reserve(unit, &target, &received))?;
            or_reason(kept)?.is_ok()
        }
    };
    let index = usize::try_from(part.of.part).map_err(|_| damaged("part"))?;
    if let Some(movement) = order.held.get_mut(index) {
        *movement = held.movement.id;
    }
    let outcome = PartOutcome {
        sold,
        bought,
        reserved,
    };
    order.outcomes.insert(part.of.part, outcome);
    Ok(())
}

/// The address that the bought money is sent to.
fn address(quote: &Quote) -> Option<&String> {
    quote.settlement_instruction.as_ref()?.address.as_ref()
}

/// Ends an order whose parts have all ended, and sends the bought money out if an address was given.
fn finish(unit: &mut Unit<'_>, order: Order, quote: &Quote, terms: &Terms) -> Outcome<()> {
    let organisation = quote.org_id;
    if order.outcomes.len() != terms.executions.len() {
        return Err(damaged("outcome of each part").into());
    }
    let sum = |is_counted: fn(&PartOutcome) -> bool| {
        let outcomes = order.outcomes.values();
        let mut counted = outcomes.filter(|outcome| is_counted(outcome));
        let sum = counted.try_fold(0_i128, |sum, outcome| sum.checked_add(outcome.bought));
        sum.ok_or_else(|| damaged("exact amount"))
    };
    let bought = sum(|_| true)?;
    let reserved = sum(|outcome| outcome.reserved)?;
    if bought == 0 {
        let refused = (OrderStatus::Failed, Some(OrderReason::VenueRefused));
        return Ok(move_to(unit, organisation, order, refused, None)?);
    }
    let target = account(unit, organisation, terms.settlement)?;
    let currency = &quote.buy_asset.symbol;
    if reserved > 0 {
        book::release(unit, &target, &Money::new(currency, reserved))?;
    }
    let record = traded(unit, &order, (quote, terms), bought)?;
    let order = Order { record, ..order };
    let (id, received) = (order.id, Money::new(currency, bought));
    let sent = unit.attempt(|unit| send_out(unit, id, quote, (&target, received)))?;
    match or_reason(sent)? {
        Ok(is_sent) => Ok(end(unit, organisation, order, is_sent)?),
        // It stays on the account.
        Err(_) => {
            let failed = (OrderStatus::Failed, Some(OrderReason::PayoutFailed));
            Ok(move_to(unit, organisation, order, failed, None)?)
        }
    }
}

/// An order with the amounts that were traded. Of a basket, the sold amount is that of the first asset, as in its quote; its deposit
/// instruction has all.
fn traded(
    unit: &mut Unit<'_>,
    order: &Order,
    (quote, terms): (&Quote, &Terms),
    bought: i128,
) -> Result<QuickTrade, StoreError> {
    let target = account(unit, quote.org_id, terms.settlement)?;
    let chain = target.chain_id.ok_or_else(|| damaged("chain"))?;
    let known = store::chain::asset(unit.database, chain, &quote.buy_asset.symbol)?;
    let scale = known.ok_or_else(|| damaged("asset"))?.scale;
    let mut sold = Vec::with_capacity(quote.sell_assets.len());
    let mut usd = Some(0_i128);
    for (part, (asset, terms)) in (0_u32..).zip(quote.sell_assets.iter().zip(&terms.executions)) {
        let chain = asset.chain_id.ok_or_else(|| damaged("chain"))?;
        let known = store::chain::asset(unit.database, chain, &asset.symbol)?;
        let scale = known.ok_or_else(|| damaged("asset"))?.scale;
        let units = order.outcomes.get(&part).map_or(0, |outcome| outcome.sold);
        let amount = Amount::from_units(units, scale).map_err(|_| damaged("exact amount"))?;
        sold.push(amount);
        // The prices are those of the quote.
        let quoted = asset.amount.to_units(scale).ok();
        let value = quoted.zip(terms.usd);
        let value = value.and_then(|(all, usd)| divide_wide([usd, units], [all], Rounding::Down));
        usd = usd
            .zip(value)
            .and_then(|(sum, value)| sum.checked_add(value));
    }
    let usd = usd.and_then(|usd| Amount::from_units(usd, USD_SCALE).ok());
    let given = match sold.as_slice() {
        [sold] => Some(*sold),
        _ => usd,
    };
    let rate = given.and_then(|given| rate((bought, scale), given));
    let mut deposit = order.record.deposit_instruction.clone();
    let listed = deposit.as_mut().and_then(|of| of.get_mut("sell_assets"));
    let listed = listed.and_then(Value::as_array_mut).into_iter().flatten();
    let listed = listed.filter_map(Value::as_object_mut);
    for (asset, amount) in listed.zip(&sold) {
        let amount = serde_json::to_value(Number::from(*amount));
        let amount = amount.map_err(|error| StoreError::Broken(error.to_string()))?;
        asset.insert("amount".to_owned(), amount);
    }
    Ok(QuickTrade {
        from_amount: sold.first().copied().ok_or_else(|| damaged("sold asset"))?,
        to_amount: Amount::from_units(bought, scale).map_err(|_| damaged("exact amount"))?,
        // An order that sold nothing has none.
        effective_rate: rate.unwrap_or(order.record.effective_rate),
        deposit_instruction: deposit,
        ..order.record.clone()
    })
}

/// The bought amount, in units of a scale, per sold unit or per dollar. `None` if nothing was sold.
fn rate((bought, scale): (i128, u32), sold: Amount) -> Option<Amount> {
    let ten = |places: u32| 10_i128.checked_pow(places);
    let units = sold.to_units(sold.scale()).ok()?;
    let rate = [bought, ten(sold.scale())?, ten(RATE_SCALE)?];
    let rate = divide_wide(rate, [units, ten(scale)?], Rounding::Down)?;
    Amount::from_units(rate, RATE_SCALE).ok()
}
