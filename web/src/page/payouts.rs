//! Payouts with source, destination and status.

use leptos::prelude::*;
use settlekit_core::payment::{GetPayment, Payment, PaymentPath};
use settlekit_core::payout::ListPayouts;

use crate::api;
use crate::list::{
    Column, DateFilter, EmptyState, Filters, RecordDetails, RecordDrawer, RecordList, TableSpec,
    exact, load_list, load_opened,
};
use crate::page::payments::details;
use crate::record::account::summary_name;
use crate::shell::{LiveBadge, name};
use crate::text::{self, money as words};
use crate::ui::{Icon, Id, PageHead, icon, status_badge};

const FILTERS: &[&str] = &[name::SINCE, name::UNTIL, name::SORT];

/// Name and address of the destination, as far as known.
fn destination(payout: &Payment) -> (Option<String>, Option<String>) {
    let mut splits = payout.payout_splits.iter().flatten();
    match splits.find(|split| split.address.is_some()) {
        Some(split) => (split.reference.clone(), split.address.clone()),
        None => (None, payout.deposit_address.clone()),
    }
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
                exact(payout.amount, payout.currency.as_str())
            }),
            Column::new(text::status(), "second", |payout| {
                status_badge(
                    payout.status.as_str(),
                    payout.reason.as_ref().map(|reason| reason.as_str()),
                )
                .into_any()
            }),
            Column::text(text::from(), "quiet skip-narrow", |payout| {
                payout.from_account.as_ref().map(summary_name)
            }),
            Column::text(text::reference(), "quiet skip-narrow", |payout| {
                payout.reference.clone()
            }),
            Column::time(text::when(), "fit second", |payout| Some(payout.created_at)),
        ],
        id: |payout| payout.id.to_string(),
    }
}

#[component]
pub(crate) fn Payouts() -> impl IntoView {
    let payouts = load_list("payouts", |list| Some(api::with_query::<ListPayouts>(list)));
    view! {
        <div class="page">
            <PageHead title=words::payouts() lead=words::payouts_lead()>
                <LiveBadge />
                <a data-scope="payout" class="button primary" href="/payouts/new">{icon(Icon::Plus)}{words::create_payout()}</a>
            </PageHead>
            <Filters names=FILTERS><DateFilter /></Filters>
            <RecordList
                spec=table_spec() list=payouts filters=FILTERS
                empty=EmptyState { picture: Icon::Payout, title: words::no_payouts(), text: words::no_payouts_lesson(), step: ("/payouts/new", words::create_payout()) }
            />
            <RecordDrawer title=words::payout()>
                <RecordDetails loaded={load_opened::<GetPayment, _>(|payment_id| PaymentPath { payment_id })} show=details />
            </RecordDrawer>
        </div>
    }
}
