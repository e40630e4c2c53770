//! Rate, fees and settlement destination of orders.

use leptos::prelude::*;
use settlekit_core::trade::QuickTrade;
use settlekit_core::value::Amount;

use crate::session::Session;
use crate::text::{self, money as words};
use crate::ui::{WholeId, amount, amount_text};

/// Effective rate: bought units per unit sold.
pub(crate) fn rate(order: &QuickTrade) -> AnyView {
    view! { {amount(&order.effective_rate, order.to_currency.as_str())} " " <span class="quiet">{words::for_one(order.from_currency.as_str())}</span> }
        .into_any()
}

/// Settlement destination; none if the record has none.
pub(crate) fn destination(account: Option<i64>, address: Option<&str>) -> Option<AnyView> {
    match (address, account) {
        (Some(address), _) => Some(view! { {words::outside_wallet()}" "<WholeId id=address.to_owned() what=words::address() /> }.into_any()),
        (None, Some(id)) => Some(account_by_id(id)),
        (None, None) => None,
    }
}

/// An account, linked unless it belongs to a sub-merchant.
pub(crate) fn account_by_id(id: i64) -> AnyView {
    let session = Session::from_context();
    let named = text::account_of(id);
    if untrack(|| session.acting_for.with(Option::is_some)) {
        return named.into_any();
    }
    view! { <a href=format!("/accounts/{id}")>{named}</a> }.into_any()
}

pub(crate) fn order_destination(order: &QuickTrade) -> Option<AnyView> {
    let instruction = order.settlement_instruction.as_ref()?;
    let account = instruction.get("account_id").and_then(|id| id.as_i64());
    destination(account, outside_wallet(order))
}

/// External wallet that the order is settled to.
pub(crate) fn outside_wallet(order: &QuickTrade) -> Option<&str> {
    order
        .settlement_instruction
        .as_ref()?
        .get("address")?
        .as_str()
}

pub(crate) fn total_fee(fees: &settlekit_core::value::Object) -> Option<String> {
    let total: Amount = fees.get("total_fee")?.to_string().parse().ok()?;
    let currency = fees
        .get("fee_currency")
        .and_then(|currency| currency.as_str())
        .unwrap_or_default();
    Some(amount_text(&total, currency))
}
