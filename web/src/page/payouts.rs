//! Payouts with source, destination and status.

use leptos::prelude::*;
use settlekit_core::payment::{GetPayment, Payment, PaymentPath};
use settlekit_core::payout::ListPayouts;

use crate::api;
use crate::form::create_payout::CreatePayoutForm;
use crate::list::{
    Column, DATE_FILTERS, DateFilter, EmptyState, Filters, RecordDetails, RecordDrawer, RecordList,
    TableSpec, exact, load_list, load_opened,
};
use crate::page::payments::{details, status};
use crate::record::account::summary_name;
use crate::shell::{LiveBadge, Location};
use crate::text::{self, money as words};
use crate::ui::{Icon, Id, PageHead, Toasts, icon};

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
            Column::new(text::status(), "second", status),
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
            <Filters names=DATE_FILTERS><DateFilter /></Filters>
            <RecordList
                spec=table_spec() list=payouts filters=DATE_FILTERS
                empty=EmptyState { picture: Icon::Payout, title: words::no_payouts(), text: words::no_payouts_lesson(), step: ("/payouts/new", words::create_payout()) }
            />
            <RecordDrawer title=words::payout()>
                <RecordDetails loaded={load_opened::<GetPayment, _>(|payment_id| PaymentPath { payment_id })} show=details />
            </RecordDrawer>
        </div>
    }
}

#[component]
pub(crate) fn CreatePayout() -> impl IntoView {
    let (location, toasts) = (Location::from_context(), Toasts::from_context());
    let done = Callback::new(move |payout: Payment| {
        toasts.say(words::payout_sent().to_owned());
        location.go(&format!("/payouts?open={}", payout.id), true);
    });
    view! {
        <div class="page">
            <PageHead title=words::create_payout() lead=words::create_payout_lead() />
            <CreatePayoutForm done=done />
        </div>
    }
}
