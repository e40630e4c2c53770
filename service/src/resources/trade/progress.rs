//! The lifecycle of an order: funded, sent to the venue, settled; or not funded in time, or rejected.

use std::time::Duration;

use serde_json::json;
use settlekit_core::account::Account;
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::payment::{Payment, PaymentStatus};
use settlekit_core::quote::Quote;
use settlekit_core::trade::{ORDER_TRANSITIONS, OrderReason, OrderStatus, QuickTrade};
use settlekit_core::value::{
    AccountId, Currency, MovementId, Number, Object, OrderId, OrganisationId, Timestamp,
};

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

use super::{damaged, record};
use crate::mode::Simulation;
use crate::money::ledger::Holder;
use crate::resources::account::book::{self, Held, Money};
use crate::resources::{automation, payout};
use crate::store;
use crate::store::destination::Destination;
use crate::store::order::Order;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit, due_job};

/// The key of the order's id in the `properties` of the payout of its bought money.
const ORDER_ID: &str = "order_id";

/// The polling interval of an order that awaits its deposit.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

fn account(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: AccountId,
) -> Result<Account, StoreError> {
    store::account::LISTING
        .find(unit.database, organisation, id)?
        .ok_or_else(|| damaged("account"))
}

/// An amount on an account's chain, in the smallest unit.
fn money(
    unit: &mut Unit<'_>,
    account: &Account,
    currency: &Currency,
    amount: Number,
) -> Result<Money, StoreError> {
    let chain = account.chain_id.ok_or_else(|| damaged("chain"))?;
    let asset =
        store::chain::asset(unit.database, chain, currency)?.ok_or_else(|| damaged("asset"))?;
    let units = amount.to_units(asset.scale);
    Ok(Money::new(
        currency,
        units.map_err(|_| damaged("exact amount"))?,
    ))
}

/// The sold assets of a quote, each with its source account.
fn sold_assets(unit: &mut Unit<'_>, quote: &Quote) -> Result<Vec<(Account, Money)>, StoreError> {
    let terms = store::quote::terms(unit.database, quote.org_id, quote.id)?;
    let mut parts = Vec::with_capacity(terms.funding.len());
    for (id, asset) in terms.funding.iter().zip(&quote.sell_assets) {
        let source = account(unit, quote.org_id, *id)?;
        let amount = money(unit, &source, &asset.symbol, asset.amount)?;
        parts.push((source, amount));
    }
    Ok(parts)
}

/// Reserves all sold assets of a quote, or none.
pub(super) fn hold(unit: &mut Unit<'_>, quote: &Quote, order: OrderId) -> Outcome<Vec<MovementId>> {
    let mut held = Vec::with_capacity(quote.sell_assets.len());
    for (source, amount) in sold_assets(unit, quote)? {
        if source.deleted_at.is_some() {
            return Err(Refusal::state_forbids("the account is deleted"));
        }
        held.push(book::hold(unit, &source, &amount, &order.to_string())?.id);
    }
    Ok(held)
}

/// Changes an order's status, if the state machine allows it, with its event.
fn move_to(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    order: Order,
    (status, reason): (OrderStatus, Option<OrderReason>),
    due_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    if !ORDER_TRANSITIONS.allows(&order.record.status, &status) {
        return Err(StoreError::Broken(format!(
            "a {} order cannot become {status}",
            order.record.status
        )));
    }
    let order = Order {
        record: QuickTrade {
            status,
            reason,
            ..order.record
        },
        due_at,
        ..order
    };
    store::order::update(unit.database, organisation, &order, unit.now)?;
    match order.record.status {
        OrderStatus::Settled => {
            automation::conversion_ended(unit, organisation, order.quote, true)?;
        }
        OrderStatus::Failed | OrderStatus::Canceled => {
            automation::conversion_ended(unit, organisation, order.quote, false)?;
        }
        _ => {}
    }
    let action = match order.record.status {
        OrderStatus::Processing => EventAction::Processed,
        OrderStatus::Settled => EventAction::Settled,
        OrderStatus::Canceled => EventAction::Canceled,
        _ => EventAction::Updated,
    };
    record(unit, organisation, action, &order)
}

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
    // Only a simulated venue settles by its delay alone.
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

fn quote_of(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    order: &Order,
) -> Result<Quote, StoreError> {
    store::quote::LISTING
        .find(unit.database, organisation, order.quote)?
        .ok_or_else(|| damaged("quote"))
}

/// Turns a step's refusal into the order's reason.
fn or_reason<T>(outcome: Outcome<T>) -> Result<Result<T, OrderReason>, StoreError> {
    match outcome {
        Ok(value) => Ok(Ok(value)),
        Err(refusal) => reason(refusal).map(Err),
    }
}

/// The order's reason for a refusal; errors of the store pass through.
fn reason(refusal: Refusal) -> Result<OrderReason, StoreError> {
    match refusal {
        Refusal::Store(error) => Err(error),
        Refusal::Because { reason, .. } => Ok(match reason {
            Reason::AmountTooLarge => OrderReason::AmountTooLarge,
            Reason::InsufficientFunds => OrderReason::InsufficientFunds,
            // No other state forbids a step of an order.
            Reason::StateForbids => OrderReason::AccountDeleted,
            _ => OrderReason::VenueRefused,
        }),
        Refusal::Invalid(_) => Ok(OrderReason::VenueRefused),
    }
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

/// The reserved money of an order.
fn held(unit: &mut Unit<'_>, order: &Order, quote: &Quote) -> Result<Vec<Held>, StoreError> {
    let mut parts = Vec::with_capacity(order.held.len());
    for (id, (account, money)) in order.held.iter().zip(sold_assets(unit, quote)?) {
        let movement = store::movement::find_movement(unit.database, quote.org_id, *id)?
            .ok_or_else(|| damaged("movement"))?;
        parts.push(Held {
            account,
            money,
            movement,
        });
    }
    Ok(parts)
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

/// Ends a booked order, unless the payout of the bought money does.
fn end(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    order: Order,
    is_sent: bool,
) -> Result<(), StoreError> {
    if !is_sent {
        let settled = (OrderStatus::Settled, None);
        return move_to(unit, organisation, order, settled, None);
    }
    let order = Order {
        due_at: None,
        ..order
    };
    store::order::update(unit.database, organisation, &order, unit.now)
}

/// Fails an order and releases its money.
fn fail(
    unit: &mut Unit<'_>,
    order: Order,
    (organisation, parts): (OrganisationId, &[Held]),
    reason: OrderReason,
) -> Result<(), StoreError> {
    for part in parts {
        book::fail_reserved(unit, &part.account, &part.movement, &part.money)
            .map_err(|refusal| refusal.unexpected("the reserved amount cannot be released"))?;
    }
    let failed = (OrderStatus::Failed, Some(reason));
    move_to(unit, organisation, order, failed, None)
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
    // The payout of what was bought ends an order without a due time.
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

/// Sends bought money out if an address was given; returns whether it is.
fn send_out(
    unit: &mut Unit<'_>,
    order: OrderId,
    quote: &Quote,
    (target, bought): (&Account, Money),
) -> Outcome<bool> {
    let currency = &quote.buy_asset.symbol;
    let outside = quote
        .settlement_instruction
        .as_ref()
        .and_then(|instruction| instruction.address.as_ref());
    let Some(address) = outside else {
        return Ok(false);
    };
    let chain = target.chain_id.ok_or_else(|| damaged("chain"))?;
    let asset = store::chain::asset(unit.database, chain, currency)?;
    let scale = asset.ok_or_else(|| damaged("asset"))?.scale;
    let properties = Object::from_iter([(ORDER_ID.to_owned(), json!(order))]);
    let out = payout::NewPayout::automatic(Destination::recorded(address), Some(properties));
    payout::send_back(unit, target, (chain, scale), bought, out)?;
    Ok(true)
}

/// The order whose bought money a payout sends out.
pub(crate) fn order_of(payout: &Payment) -> Option<OrderId> {
    let properties = payout.properties.as_ref();
    properties?.get(ORDER_ID)?.as_str()?.parse().ok()
}

/// Ends an order with the payout of its bought money.
pub(crate) fn payout_ended(unit: &mut Unit<'_>, payout: &Payment) -> Result<(), StoreError> {
    let Some(id) = order_of(payout) else {
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
