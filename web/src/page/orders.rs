//! Orders of accepted quotes and quick trades.

use leptos::prelude::*;
use settlekit_core::trade::{GetOrder, GetOrderPath, ListOrders, QuickTrade};
use settlekit_core::value::OrderId;

use crate::api;
use crate::form::options::chain_name;
use crate::list::export::Exporter;
use crate::list::filter::{DateFilter, Filters};
use crate::list::record_list::{EmptyState, RecordDetails, RecordDrawer, RecordList, link_to};
use crate::list::table::{Column, ExactAmount, TableSpec};
use crate::record::order::{order_destination, rate, total_fee};
use crate::shell::load::load;
use crate::shell::navigation::{Location, name};
use crate::text;
use crate::text::money as words;
use crate::ui::amount::amount;
use crate::ui::copy::{Id, WholeId};
use crate::ui::element::Element;
use crate::ui::facts::Facts;
use crate::ui::icon::Icon;
use crate::ui::status::status_badge;
use crate::ui::timestamp::timestamp;

const FILTERS: &[&str] = &[name::SINCE, name::UNTIL, name::SORT];

fn table_spec() -> TableSpec<QuickTrade> {
    TableSpec {
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
                Some(ExactAmount {
                    amount: order.from_amount,
                    currency: order.from_currency.as_str(),
                    out: None,
                })
            }),
            Column::exact(words::bought(), "end named", |order| {
                Some(ExactAmount {
                    amount: order.to_amount,
                    currency: order.to_currency.as_str(),
                    out: None,
                })
            }),
            Column::new(text::status(), "second", |order| {
                status_badge_of(order).into_any()
            }),
            Column::new(text::when(), "fit second", |order| {
                timestamp(order.created_at).into_any()
            }),
        ],
        id: |order| order.order_id.map(|id| id.to_string()).unwrap_or_default(),
    }
}

fn status_badge_of(order: &QuickTrade) -> Element {
    let reason = order.reason.as_ref().map(|reason| reason.as_str());
    status_badge(order.status.as_str(), reason)
}

#[component]
pub(crate) fn Orders() -> impl IntoView {
    let location = Location::from_context();
    let ask = move |list| Some(api::with_query::<ListOrders>(list));
    let orders = load(move || ask(location.list()));
    view! {
        <Filters names=FILTERS><DateFilter /></Filters>
        <RecordList
            spec=table_spec() page=orders.state busy=orders.busy retry=orders.retry() filters=FILTERS export=(Exporter::of(ask), "orders")
            empty=EmptyState { picture: Icon::Trade, title: words::no_orders(), text: words::no_orders_lesson(), step: ("/trade", words::quick_trade()) }
        />
        <RecordDrawer title=words::order()><OneOrder /></RecordDrawer>
    }
}

#[component]
fn OneOrder() -> impl IntoView {
    let location = Location::from_context();
    let order = load::<GetOrder>(move || {
        let order_id = location.param::<OrderId>(name::OPEN)?;
        Some(api::at(GetOrderPath { order_id }))
    });
    view! { <RecordDetails loaded=order show=details /> }
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
        .maybe(words::settled_to(), order_destination(order), |to| to)
        .maybe(words::from_chain(), order.from_chain_id, chain_name)
        .maybe(words::to_chain(), order.to_chain_id, chain_name)
        .with(text::created(), timestamp(order.created_at));
    view! {
        <div class="lede">{amount(&order.from_amount, order.from_currency.as_str())}{status_badge_of(order)}</div>
        {facts.view()}
        {quote.map(|id| link_to(format!("/trade/rfq?quote={id}"), Icon::Trade, words::open_quote()))}
    }
    .into_any()
}
