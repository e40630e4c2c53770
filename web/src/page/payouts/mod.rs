//! Payouts with source, destination and status: payouts that wait for a member or a wallet come first and name the next step.

mod approval;
mod cancel;
mod sign;

use leptos::prelude::*;
use settlekit_core::payment::{GetPayment, NextAction, Payment, PaymentPath, PaymentReason};
use settlekit_core::payout::{ListPayouts, ListPayoutsQuery};

use crate::api;
use crate::form::create_payout::CreatePayoutForm;
use crate::list::{
    Column, Counts, EmptyState, FilterBar, FilterSpec, RecordDetails, RecordDrawer, RecordList,
    StatusTab, StatusTabs, TableSpec, actions_of, counts_of, exact, load_counted_list, load_opened,
};
use crate::page::one_payment::{copy_acts_of, facts, lede, status, timeline_of};
use crate::record::account::summary_name;
use crate::record::payout::destination;
use crate::shell::{Live, LiveBadge, Location, name};
use crate::text::{self, money as words, payout};
use crate::ui::{Icon, Id, PageHead, Toasts, icon};

use approval::Approval;
use cancel::Cancel;
use sign::SignTransaction;

fn table_spec() -> TableSpec<Payment> {
    TableSpec {
        caption: words::payouts(),
        columns: vec![
            Column::new(text::to(), "title", |payout| {
                match destination(payout) {
                (display_name, Some(address)) => view! { {display_name.map(|display_name| view! { <span>{display_name}" "</span> })}<Id id=address what=words::address() /> }.into_any(),
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

const STATUS: &str = "status";
/// URL parameter with the reason why payouts need attention.
const REASON: &str = "reason";
const FILTERS: &[&str] = &[STATUS, name::SINCE, name::UNTIL, name::SORT];
/// Statuses of payouts.
const STATUSES: &[&str] = &["Pending", "Processing", "Confirmed", "Failed", "Canceled"];

/// All payouts, those that wait for approval or were refused, and those of each status.
fn tabs(counts: Counts) -> Vec<StatusTab> {
    let live = Live::from_context();
    let waiting = Memo::new(move |_| live.read(|overview| overview.payouts_awaiting_approval));
    let waiting = Signal::derive(move || waiting.get().filter(|count| *count > 0));
    let of_reason = |label: &str, reason: PaymentReason, count| {
        let reason = Some(reason.as_str().to_owned());
        StatusTab::new(label, vec![(STATUS, None), (REASON, reason)], count)
    };
    let (required, refused) = (
        PaymentReason::ApprovalRequired,
        PaymentReason::ApprovalRefused,
    );
    let mut tabs = vec![
        StatusTab::all(payout::all(), &[STATUS, REASON], counts),
        of_reason(payout::waiting(), required, waiting),
        of_reason(payout::refused(), refused, Signal::stored(None)),
    ];
    tabs.extend(
        STATUSES.iter().map(|status| {
            StatusTab::of(STATUS, status, text::words(status), counts).without(REASON)
        }),
    );
    tabs
}

#[component]
pub(crate) fn Payouts() -> impl IntoView {
    let location = Location::from_context();
    let reason = Memo::new(move |_| location.get(REASON));
    let payouts = load_counted_list("payouts", move |list, counts| {
        Some(api::with_query::<ListPayouts>(ListPayoutsQuery {
            list,
            status: location.param(STATUS),
            reason: location.param(REASON),
            counts,
        }))
    });
    let tabs = tabs(counts_of(&payouts));
    let mut filters = vec![FilterSpec::choice(text::status(), STATUS, STATUSES).in_tabs(STATUSES)];
    filters.extend(FilterSpec::by_date());
    view! {
        <div class="page">
            <PageHead title=words::payouts() lead=words::payouts_lead()>
                <LiveBadge />
                <a data-scope="payout" class="button primary" href="/payouts/new">{icon(Icon::Plus)}{words::create_payout()}</a>
            </PageHead>
            <StatusTabs label=words::payouts() tabs=tabs />
            <FilterBar filters=filters />
            {move || view! { <RecordList spec=table_spec() list=payouts.clone() filters=FILTERS empty=empty(reason.get()) /> }}
            <RecordDrawer title=words::payout()><OnePayout /></RecordDrawer>
        </div>
    }
}

/// The empty state of the payouts with a reason, or of all.
fn empty(reason: Option<String>) -> EmptyState {
    let all = ("/payouts", payout::all());
    let (title, text, step) = match reason.as_deref() {
        Some("ApprovalRequired") => (
            payout::nothing_waiting(),
            payout::nothing_waiting_hint(),
            all,
        ),
        Some("ApprovalRefused") => (
            payout::nothing_refused(),
            payout::nothing_refused_hint(),
            all,
        ),
        _ => {
            let step = ("/payouts/new", words::create_payout());
            (words::no_payouts(), words::no_payouts_hint(), step)
        }
    };
    EmptyState {
        picture: Icon::Payout,
        title,
        text,
        step,
    }
}

#[component]
fn OnePayout() -> impl IntoView {
    let payout = load_opened::<GetPayment, _>(|payment_id| PaymentPath { payment_id });
    let acts = move |id| {
        view! {
            <Approval id=id payout=payout />
            <SignTransaction id=id payout=payout />
            <Cancel id=id payout=payout />
            <div class="row">{copy_acts_of("/payouts", id)}</div>
        }
    };
    view! {
        {move || payout.read(lede)}
        {actions_of(payout, |payout| payout.id, move |id| acts(id).into_any())}
        <RecordDetails loaded=payout show=facts />
        {timeline_of(payout)}
    }
}

/// Confirmation text of a new payout.
fn outcome(made: &Payment) -> &'static str {
    if made.reason == Some(PaymentReason::ApprovalRequired) {
        payout::awaits_approval()
    } else if made.next_action == Some(NextAction::SignTransaction) {
        payout::prepared()
    } else {
        words::payout_sent()
    }
}

#[component]
pub(crate) fn CreatePayout() -> impl IntoView {
    let (location, toasts) = (Location::from_context(), Toasts::from_context());
    let done = Callback::new(move |made: Payment| {
        toasts.say(outcome(&made).to_owned());
        location.go(&format!("/payouts?open={}", made.id), true);
    });
    view! {
        <div class="page">
            <PageHead title=words::create_payout() lead=words::create_payout_lead() above=("/payouts", words::payouts()) />
            <CreatePayoutForm done=done />
        </div>
    }
}
