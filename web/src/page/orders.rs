//! Orders of accepted quotes and quick trades.

use leptos::prelude::*;
use settlekit_core::trade::{GetOrder, GetOrderPath, ListOrders, QuickTrade};

use crate::api;
use crate::form::chain_name;
use crate::list::{
    Column, DATE_FILTERS, EmptyState, FilterBar, FilterSpec, RecordDetails, RecordDrawer,
    RecordList, TableSpec, exact, link_to, load_list, load_opened,
};
use crate::record::order::{order_destination, rate, total_fee};
use crate::text::{self, money as words};
use crate::ui::{Element, Facts, Icon, Id, amount, status_badge};

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
                exact(order.from_amount, order.from_currency.as_str())
            }),
            Column::exact(words::bought(), "end named", |order| {
                exact(order.to_amount, order.to_currency.as_str())
            }),
            Column::new(text::status(), "second", |order| {
                status_badge_of(order).into_any()
            }),
            Column::time(text::when(), "fit second", |order| Some(order.created_at)),
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
    let orders = load_list("orders", |list| Some(api::with_query::<ListOrders>(list)));
    view! {
        <FilterBar filters=FilterSpec::by_date() />
        <RecordList
            spec=table_spec() list=orders filters=DATE_FILTERS
            empty=EmptyState { picture: Icon::Trade, title: words::no_orders(), text: words::no_orders_hint(), step: ("/trade", words::quick_trade()) }
        />
        <RecordDrawer title=words::order()>
            <RecordDetails loaded={load_opened::<GetOrder, _>(|order_id| GetOrderPath { order_id })} show=details />
        </RecordDrawer>
    }
}

fn details(order: &QuickTrade) -> AnyView {
    let quote = order.quote_id;
    let facts = Facts::default()
        .id(words::order(), order.order_id.map(|id| id.to_string()))
        .text(text::reference(), order.reference.clone())
        .with(
            words::sold(),
            amount(&order.from_amount, order.from_currency.as_str()),
        )
        .with(
            words::bought(),
            amount(&order.to_amount, order.to_currency.as_str()),
        )
        .with(words::rate(), rate(order))
        .text(words::fees(), order.fees.as_ref().and_then(total_fee))
        .maybe(words::funded_by(), order.account_id, |id| {
            view! { <a href=format!("/accounts/{id}")>{text::account_of(id.get())}</a> }
        })
        .maybe(words::settled_to(), order_destination(order), |to| to)
        .maybe(words::from_chain(), order.from_chain_id, chain_name)
        .maybe(words::to_chain(), order.to_chain_id, chain_name)
        .time(text::created(), order.created_at);
    view! {
        <div class="lede">{amount(&order.from_amount, order.from_currency.as_str())}{status_badge_of(order)}</div>
        {facts.view()}
        {quote.map(|id| link_to(format!("/trade/rfq?quote={id}"), Icon::Trade, words::open_quote()))}
    }
    .into_any()
}
