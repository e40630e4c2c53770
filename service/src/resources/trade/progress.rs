//! The lifecycle of an order: funded, sent to the venue, settled; or not funded in time, or rejected.

use std::time::Duration;

use settlekit_core::payment::{Payment, PaymentStatus};
use settlekit_core::quote::Quote;
use settlekit_core::trade::{OrderReason, OrderStatus, QuickTrade};
use settlekit_core::value::{Number, OrderId, OrganisationId};

#[cfg(not(target_family = "wasm"))]
mod at_exchange;
#[cfg(not(target_family = "wasm"))]
mod on_chain;
#[cfg(not(target_family = "wasm"))]
mod part;
#[cfg(not(target_family = "wasm"))]
mod parts;

#[cfg(not(target_family = "wasm"))]
pub(crate) use parts::swap_ended;

use super::order::{
    account, damaged, end, fail, held, hold, money, move_to, or_reason, quote_of, send_out,
};
use crate::mode::Simulation;
use crate::money::ledger::Holder;
use crate::resources::account::book::{self, Held};
use crate::store;
use crate::store::order::Order;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit, due_job};

/// The polling interval of an order that awaits its deposit.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Advances due orders, at most `limit`.
pub(crate) fn run_due(unit: &mut Unit<'_>, limit: u32) -> Result<(), StoreError> {
    due_job::run_each(unit, &store::due::ORDERS, limit, step).map(drop)
}

fn step(unit: &mut Unit<'_>, organisation: OrganisationId, id: OrderId) -> Outcome<()> {
    let order = store::order::ORDERS.lock(unit.database, organisation, id)?;
    // Another process may have advanced it.
    let Some(order) = order.filter(|order| order.due_at.is_some_and(|due| due <= unit.now)) else {
        return Ok(());
    };
    let quote = quote_of(unit, organisation, &order)?;
    let terms = store::quote::terms(unit.database, organisation, quote.id)?;
    // Only a simulated venue settles after its delay.
    if terms.executions.is_empty() {
        unit.need_simulation()?;
    }
    match order.record.status {
        OrderStatus::Open if order.held.is_empty() => fund(unit, order, &quote)?,
        OrderStatus::Open => send(unit, order, &quote)?,
        OrderStatus::Processing => match terms.executions.first() {
            None => settle(unit, order, &quote)?,
            #[cfg(not(target_family = "wasm"))]
            Some(_) => parts::step(unit, order, &quote, &terms)?,
            #[cfg(target_family = "wasm")]
            Some(part) => match *part {},
        },
        _ => return Err(StoreError::Broken("an order that has ended is due".into()).into()),
    }
    Ok(())
}

/// Funds an order once the balance covers it, or cancels it at its deadline.
fn fund(unit: &mut Unit<'_>, order: Order, quote: &Quote) -> Result<(), StoreError> {
    let organisation = quote.org_id;
    let id = order.id;
    match or_reason(unit.attempt(|unit| hold(unit, quote, id))?)? {
        Ok(held) => send(unit, Order { held, ..order }, quote),
        Err(reason) if quote.ttl_at.is_none_or(|ttl_at| ttl_at <= unit.now) => {
            let canceled = (OrderStatus::Canceled, Some(reason));
            move_to(unit, organisation, order, canceled, None)?;
            // The awaited money may be paid out now.
            let terms = store::quote::terms(unit.database, organisation, quote.id)?;
            for account in terms.funding {
                store::automation::wake(unit.database, organisation, account, unit.now)?;
            }
            Ok(())
        }
        Err(_) => {
            let again = unit.now.plus(POLL_INTERVAL);
            let order = Order {
                due_at: Some(quote.ttl_at.map_or(again, |ttl_at| again.min(ttl_at))),
                ..order
            };
            store::order::update(unit.database, organisation, &order, unit.now)
        }
    }
}

/// Sends a funded order to its venues.
fn send(unit: &mut Unit<'_>, order: Order, quote: &Quote) -> Result<(), StoreError> {
    let terms = store::quote::terms(unit.database, quote.org_id, quote.id)?;
    // Swaps and orders at exchanges are sent at once, and end the order.
    let delay_ms = match terms.executions.is_empty() {
        true => terms.delay_ms,
        false => 0,
    };
    let settles_at = unit.now.plus(Duration::from_millis(delay_ms));
    move_to(
        unit,
        quote.org_id,
        order,
        (OrderStatus::Processing, None),
        Some(settles_at),
    )
}

/// Books a settled order. If that is refused, the order fails and its money is released.
fn settle(unit: &mut Unit<'_>, order: Order, quote: &Quote) -> Result<(), StoreError> {
    let parts = held(unit, &order, quote)?;
    let id = order.id;
    match or_reason(unit.attempt(|unit| book_trade(unit, id, quote, &parts))?)? {
        Ok(is_sent) => end(unit, quote.org_id, order, is_sent),
        Err(reason) => fail(unit, order, (quote.org_id, &parts), reason),
    }
}

/// Has the simulated venue refuse an order.
pub(crate) fn refuse(
    _: Simulation,
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    order: Order,
) -> Outcome<QuickTrade> {
    let id = order.id;
    let quote = quote_of(unit, organisation, &order)?;
    // The payout of the bought money ends an order without a due time.
    let order = match order.record.status {
        OrderStatus::Open if !order.held.is_empty() => {
            send(unit, order, &quote)?;
            store::order::ORDERS.lock(unit.database, organisation, id)?
        }
        OrderStatus::Processing if order.due_at.is_some() => Some(order),
        OrderStatus::Open => {
            return Err(Refusal::state_forbids("the order waits for its money"));
        }
        _ => {
            return Err(Refusal::state_forbids(
                "the venue has executed or refused the order",
            ));
        }
    };
    let order = order.ok_or_else(|| damaged("row"))?;
    let parts = held(unit, &order, &quote)?;
    fail(
        unit,
        order,
        (organisation, &parts),
        OrderReason::VenueRefused,
    )?;
    let order = store::order::LISTING.find(unit.database, organisation, id)?;
    Ok(order.ok_or_else(|| damaged("row"))?)
}

/// Books a trade, and sends the bought money out if an address was given; returns whether it is.
fn book_trade(unit: &mut Unit<'_>, order: OrderId, quote: &Quote, parts: &[Held]) -> Outcome<bool> {
    let terms = store::quote::terms(unit.database, quote.org_id, quote.id)?;
    let target = account(unit, quote.org_id, terms.settlement)?;
    if target.deleted_at.is_some() {
        return Err(Refusal::state_forbids("the account is deleted"));
    }
    let currency = &quote.buy_asset.symbol;
    let bought = money(unit, &target, currency, quote.buy_asset.amount)?;
    let fee = quote
        .fees
        .as_ref()
        .map_or(Number::ZERO, |fees| fees.total_fee);
    let fee = money(unit, &target, currency, fee)?;
    let entity = order.to_string();
    book::settle(
        unit,
        parts,
        &target,
        (&bought, &fee),
        (Holder::Venue, &entity),
    )?;
    send_out(unit, order, quote, (&target, bought))
}

/// Ends an order with the payout of its bought money.
pub(crate) fn payout_ended(unit: &mut Unit<'_>, payout: &Payment) -> Result<(), StoreError> {
    let Some(id) = payout.order_id() else {
        return Ok(());
    };
    let order = store::order::ORDERS.lock(unit.database, payout.org_id, id)?;
    let order = order.ok_or_else(|| StoreError::Damaged("a payout has no order".to_owned()))?;
    let end = match payout.status {
        PaymentStatus::Confirmed => (OrderStatus::Settled, None),
        _ => (OrderStatus::Failed, Some(OrderReason::PayoutFailed)),
    };
    move_to(unit, payout.org_id, order, end, None)
}
