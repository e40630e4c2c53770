//! Shared by the steps of an order: its accounts and reserved money, its status, and the payout of its bought money.

use serde_json::json;
use settlekit_core::account::{Account, MovementFailure};
use settlekit_core::error::Reason;
use settlekit_core::event::{EventAction, EventType};
use settlekit_core::payment::ORDER_ID;
use settlekit_core::quote::Quote;
use settlekit_core::trade::{ORDER_TRANSITIONS, OrderReason, OrderStatus, QuickTrade};
use settlekit_core::value::{
    AccountId, Currency, MovementId, Number, Object, OrderId, OrganisationId, Timestamp,
};

use crate::resources::account::book::{self, Held, Money};
use crate::resources::{automation, event, payout};
use crate::store;
use crate::store::destination::Destination;
use crate::store::order::Order;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// The error of stored data that lacks a value.
pub(super) fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("an order has no {what}"))
}

/// Records an event about an order.
pub(super) fn record(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    action: EventAction,
    order: &Order,
) -> Result<(), StoreError> {
    event::record_about(
        unit,
        organisation,
        (EventType::Transaction, action),
        order.id.to_string(),
        &order.record,
    )
}

pub(super) fn account(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: AccountId,
) -> Result<Account, StoreError> {
    store::account::LISTING
        .find(unit.database, organisation, id)?
        .ok_or_else(|| damaged("account"))
}

/// An amount on an account's chain, in the smallest unit.
pub(super) fn money(
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

pub(super) fn quote_of(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    order: &Order,
) -> Result<Quote, StoreError> {
    store::quote::LISTING
        .find(unit.database, organisation, order.quote)?
        .ok_or_else(|| damaged("quote"))
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

/// The reserved money of an order.
pub(super) fn held(
    unit: &mut Unit<'_>,
    order: &Order,
    quote: &Quote,
) -> Result<Vec<Held>, StoreError> {
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

/// Changes an order's status, if the state machine allows it, with its event.
pub(super) fn move_to(
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

/// Ends a booked order, unless the payout of the bought money does.
pub(super) fn end(
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
pub(super) fn fail(
    unit: &mut Unit<'_>,
    order: Order,
    (organisation, parts): (OrganisationId, &[Held]),
    reason: OrderReason,
) -> Result<(), StoreError> {
    for part in parts {
        let failure = &MovementFailure::NotExecuted;
        book::fail_reserved(unit, &part.account, &part.movement, &part.money, failure)
            .map_err(|refusal| refusal.unexpected("the reserved amount cannot be released"))?;
    }
    let failed = (OrderStatus::Failed, Some(reason));
    move_to(unit, organisation, order, failed, None)
}

/// Turns a step's refusal into the order's reason.
pub(super) fn or_reason<T>(outcome: Outcome<T>) -> Result<Result<T, OrderReason>, StoreError> {
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

/// Sends bought money out if an address was given; returns whether it is.
pub(super) fn send_out(
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
