//! Payouts with source, destination and status.

use leptos::prelude::*;
use settlekit_core::payment::{GetPayment, Payment, PaymentPath};
use settlekit_core::payout::ListPayouts;
use settlekit_core::value::PaymentId;

use crate::api;
use crate::list::export::Exporter;
use crate::list::filter::{DateFilter, Filters};
use crate::list::record_list::{EmptyState, RecordDetails, RecordDrawer, RecordList};
use crate::list::table::{Column, ExactAmount, TableSpec};
use crate::page::payments::details;
use crate::shell::live::LiveBadge;
use crate::shell::load::load;
use crate::shell::navigation::{Location, name};
use crate::text;
use crate::text::money as words;
use crate::ui::copy::Id;
use crate::ui::icon::{Icon, icon};
use crate::ui::page_head::PageHead;
use crate::ui::status::status_badge;
use crate::ui::timestamp::timestamp;

const FILTERS: &[&str] = &[name::SINCE, name::UNTIL, name::SORT];

fn destination(payout: &Payment) -> (Option<String>, Option<String>) {
    let mut splits = payout.payout_splits.iter().flatten();
    let split = splits.find(|split| split.address.is_some());
    let called = split.and_then(|split| split.reference.clone());
    let address = split.and_then(|split| split.address.clone());
    (called, address.or_else(|| payout.deposit_address.clone()))
}

fn table_spec() -> TableSpec<Payment> {
    TableSpec {
        caption: words::payouts(),
        columns: vec![
            Column::new(text::to(), "title", |payout| {
                match destination(payout) {
                (called, Some(address)) => view! { {called.map(|called| view! { <span>{called}" "</span> })}<Id id=address what=words::address() /> }.into_any(),
                (_, None) => view! { <span class="quiet">{text::unknown()}</span> }.into_any(),
            }
            }),
            Column::exact(text::amount(), "end", |payout| {
                Some(ExactAmount {
                    amount: payout.amount,
                    currency: payout.currency.as_str(),
                    out: None,
                })
            }),
            Column::new(text::status(), "second", |payout| {
                status_badge(
                    payout.status.as_str(),
                    payout.reason.as_ref().map(|reason| reason.as_str()),
                )
                .into_any()
            }),
            Column::new(text::from(), "quiet skip-narrow", |payout| {
                payout
                    .from_account
                    .as_ref()
                    .map(|account| {
                        let (name, reference) = (account.name.as_ref(), account.reference.as_ref());
                        text::account_display_name(name, reference, account.id)
                    })
                    .into_any()
            }),
            Column::new(text::reference(), "quiet skip-narrow", |payout| {
                payout.reference.clone().into_any()
            }),
            Column::new(text::when(), "fit second", |payout| {
                timestamp(payout.created_at).into_any()
            }),
        ],
        id: |payout| payout.id.to_string(),
    }
}

#[component]
pub(crate) fn Payouts() -> impl IntoView {
    let location = Location::from_context();
    let ask = move |list| Some(api::with_query::<ListPayouts>(list));
    let payouts = load(move || ask(location.list()));
    view! {
        <div class="page">
            <PageHead title=words::payouts() lead=words::payouts_lead()>
                <LiveBadge />
                <a data-scope="payout" class="button primary" href="/payouts/new">{icon(Icon::Plus)}{words::create_payout()}</a>
            </PageHead>
            <Filters names=FILTERS><DateFilter /></Filters>
            <RecordList
                spec=table_spec() page=payouts.state busy=payouts.busy retry=payouts.retry() filters=FILTERS export=(Exporter::of(ask), "payouts")
                empty=EmptyState { picture: Icon::Payout, title: words::no_payouts(), text: words::no_payouts_lesson(), step: ("/payouts/new", words::create_payout()) }
            />
            <RecordDrawer title=words::payout()><OnePayout /></RecordDrawer>
        </div>
    }
}

#[component]
fn OnePayout() -> impl IntoView {
    let location = Location::from_context();
    let payout = load::<GetPayment>(move || {
        let payment_id = location.param::<PaymentId>(name::OPEN)?;
        Some(api::at(PaymentPath { payment_id }))
    });
    view! { <RecordDetails loaded=payout show=details /> }
}
