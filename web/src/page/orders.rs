//! Orders: what came of accepted quotes and quick trades.

use leptos::prelude::*;
use settlekit_core::trade::{GetOrder, GetOrderPath, ListOrders, QuickTrade};
use settlekit_core::value::{Amount, OrderId};

use crate::api;
use crate::form::choice::chain_name;
use crate::load::load;
use crate::part::amount::{amount, amount_text};
use crate::part::copy::{Id, WholeId};
use crate::part::element::Element;
use crate::part::export::Exporter;
use crate::part::facts::Facts;
use crate::part::filter::{Days, Filters};
use crate::part::icon::Icon;
use crate::part::list::{Lesson, List, Opened, Record, way_to};
use crate::part::moment::moment;
use crate::part::state::state;
use crate::part::table::{Column, Exact, Plan};
use crate::place::{Place, name};
use crate::session::Session;
use crate::text;
use crate::text::money as words;

const FILTERS: &[&str] = &[name::SINCE, name::UNTIL, name::SORT];

fn plan() -> Plan<QuickTrade> {
    Plan {
        caption: words::orders(),
        columns: vec![
            Column::new(text::reference(), "title", |order| {
                match (&order.reference, order.order_id) {
                    (Some(reference), _) => reference.clone().into_any(),
                    (None, Some(id)) => {
                        view! { <Id id=id.to_string() what=words::order() /> }.into_any()
                    }
                    (None, None) => ().into_any(),
                }
            }),
            Column::exact(words::sold(), "end", |order| {
                Some(Exact {
                    amount: order.from_amount,
                    currency: order.from_currency.as_str(),
                    out: None,
                })
            }),
            Column::exact(words::bought(), "end named", |order| {
                Some(Exact {
                    amount: order.to_amount,
                    currency: order.to_currency.as_str(),
                    out: None,
                })
            }),
            Column::new(text::status(), "second", |order| stands(order).into_any()),
            Column::new(text::when(), "fit second", |order| {
                moment(order.created_at).into_any()
            }),
        ],
        id: |order| order.order_id.map(|id| id.to_string()).unwrap_or_default(),
    }
}

fn stands(order: &QuickTrade) -> Element {
    let reason = order.reason.as_ref().map(|reason| reason.as_str());
    state(order.status.as_str(), reason)
}

#[component]
pub(crate) fn Orders() -> impl IntoView {
    let place = Place::here();
    let ask = move |list| Some(api::asking::<ListOrders>(list));
    let orders = load(move || ask(place.list()));
    view! {
        <Filters names=FILTERS><Days /></Filters>
        <List
            plan=plan() page=orders.state busy=orders.busy retry=orders.retry() filters=FILTERS export=(Exporter::of(ask), "orders")
            lesson=Lesson { picture: Icon::Trade, title: words::no_orders(), lesson: words::no_orders_lesson(), step: ("/trade", words::quick_trade()) }
        />
        <Opened title=words::order()><OneOrder /></Opened>
    }
}

#[component]
fn OneOrder() -> impl IntoView {
    let place = Place::here();
    let order = load::<GetOrder>(move || {
        let order_id = place.param::<OrderId>(name::OPEN)?;
        Some(api::at(GetOrderPath { order_id }))
    });
    view! { <Record loaded=order show=details /> }
}

fn details(order: &QuickTrade) -> AnyView {
    let quote = order.quote_id;
    let facts = Facts::default()
        .maybe(
            words::order(),
            order.order_id,
            |id| view! { <WholeId id=id.to_string() what=words::order() /> },
        )
        .maybe(text::reference(), order.reference.clone(), |text| text)
        .with(
            words::bought(),
            amount(&order.to_amount, order.to_currency.as_str()),
        )
        .with(words::rate(), rate(order))
        .with(words::side(), text::words(order.side.as_str()))
        .maybe(
            words::fees(),
            order.fees.as_ref().and_then(total_fee),
            |fee| fee,
        )
        .maybe(words::funded_by(), order.account_id, |id| {
            view! { <a href=format!("/accounts/{id}")>{text::account_of(id.get())}</a> }
        })
        .maybe(words::settled_to(), order_settled_to(order), |to| to)
        .maybe(words::from_chain(), order.from_chain_id, chain_name)
        .maybe(words::to_chain(), order.to_chain_id, chain_name)
        .with(text::created(), moment(order.created_at));
    view! {
        <div class="lede">{amount(&order.from_amount, order.from_currency.as_str())}{stands(order)}</div>
        {facts.view()}
        {quote.map(|id| way_to(format!("/trade/rfq?quote={id}"), Icon::Trade, words::open_quote()))}
    }
    .into_any()
}

/// How much is bought for one of what is sold.
pub(crate) fn rate(order: &QuickTrade) -> AnyView {
    view! { {amount(&order.effective_rate, order.to_currency.as_str())} " " <span class="quiet">{words::for_one(order.from_currency.as_str())}</span> }
        .into_any()
}

/// Where what is bought goes to, as a record says it; nothing where it says nothing.
pub(crate) fn settled_to(account: Option<i64>, address: Option<&str>) -> Option<AnyView> {
    match (address, account) {
        (Some(address), _) => Some(view! { {words::outside_wallet()}" "<WholeId id=address.to_owned() what=words::address() /> }.into_any()),
        (None, Some(id)) => Some(account_by_id(id)),
        (None, None) => None,
    }
}

/// An account, with the way to it where it is one's own.
pub(crate) fn account_by_id(id: i64) -> AnyView {
    let session = Session::here();
    let named = text::account_of(id);
    if untrack(|| session.acting_for.with(Option::is_some)) {
        return named.into_any();
    }
    view! { <a href=format!("/accounts/{id}")>{named}</a> }.into_any()
}

/// The same of an order.
pub(crate) fn order_settled_to(order: &QuickTrade) -> Option<AnyView> {
    let instruction = order.settlement_instruction.as_ref()?;
    let account = instruction.get("account_id").and_then(|id| id.as_i64());
    settled_to(account, outside(order))
}

/// The outside wallet that what is bought goes to.
pub(crate) fn outside(order: &QuickTrade) -> Option<&str> {
    order
        .settlement_instruction
        .as_ref()?
        .get("address")?
        .as_str()
}

/// All fees together.
pub(crate) fn total_fee(fees: &settlekit_core::value::Object) -> Option<String> {
    let total: Amount = fees.get("total_fee")?.to_string().parse().ok()?;
    let currency = fees
        .get("fee_currency")
        .and_then(|currency| currency.as_str())
        .unwrap_or_default();
    Some(amount_text(&total, currency))
}
