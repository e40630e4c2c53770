//! Payments, and one payment with its transactions and timeline.

use leptos::prelude::*;
use settlekit_core::payment::{
    CancelPayment, GetPayment, ListPayments, ListPaymentsQuery, Payment, PaymentPath, PaymentStatus,
};
use settlekit_core::value::{Param, PaymentId};

use crate::api;
use crate::form::{self, Form};
use crate::live::Live;
use crate::load::load;
use crate::part::PageHead;
use crate::part::amount::{amount, dollars};
use crate::part::confirm::Confirm;
use crate::part::copy::{Id, WholeId, shortened};
use crate::part::export::Exporter;
use crate::part::facts::Facts;
use crate::part::filter::{Choice, Days, Filters};
use crate::part::icon::Icon;
use crate::part::list::{Lesson, List, Opened, Record, way_to};
use crate::part::moment::moment;
use crate::part::nav::Pulse;
use crate::part::notice::{Failed, Toasts};
use crate::part::state::state;
use crate::part::table::{Column, Exact, Plan};
use crate::place::{Place, name};
use crate::text;

const STATUS: &str = "status";
const FILTERS: &[&str] = &[STATUS, name::SINCE, name::UNTIL, name::SORT];

fn status(payment: &Payment) -> AnyView {
    state(
        payment.status.as_str(),
        payment.reason.as_ref().map(|reason| reason.as_str()),
    )
    .into_any()
}

/// What was sold, as the merchant named it.
fn sold(payment: &Payment) -> Option<String> {
    let link = payment.payment_link.as_ref()?;
    Some(
        link.plan
            .as_ref()
            .map_or_else(|| shortened(&link.id.to_string()), |plan| plan.name.clone()),
    )
}

fn plan() -> Plan<Payment> {
    Plan {
        caption: text::PAYMENTS,
        columns: vec![
            Column::new(text::FOR, "grow title", |payment| {
                sold(payment)
                    .or_else(|| payment.reference.clone())
                    .unwrap_or_else(|| text::NO_LINK.to_owned())
                    .into_any()
            }),
            Column::exact(text::AMOUNT, "end", |payment| {
                Some(Exact {
                    amount: payment.amount,
                    currency: payment.currency.as_str(),
                    out: None,
                })
            }),
            Column::new(text::STATUS, "second", status),
            Column::new(text::CUSTOMER, "quiet skip-narrow", |payment| {
                payment
                    .customer
                    .as_ref()
                    .and_then(|customer| customer.name.clone().or_else(|| customer.email.clone()))
                    .into_any()
            }),
            Column::new(text::PAYMENT, "skip-narrow", |payment| {
                view! { <Id id=payment.id.to_string() what=text::PAYMENT /> }.into_any()
            }),
            Column::new(text::WHEN, "fit second", |payment| {
                moment(payment.created_at).into_any()
            }),
        ],
        id: |payment| payment.id.to_string(),
    }
}

#[component]
pub(crate) fn Payments() -> impl IntoView {
    let place = Place::here();
    let ask = move |list| {
        Some(api::asking::<ListPayments>(ListPaymentsQuery {
            list,
            status: place.param(STATUS),
        }))
    };
    let payments = load(move || ask(place.list()));
    view! {
        <div class="page">
            <PageHead title=text::PAYMENTS lead=text::PAYMENTS_LEAD><Pulse /></PageHead>
            <Filters names=FILTERS><Choice label=text::STATUS name=STATUS words=PaymentStatus::KNOWN /><Days /></Filters>
            <List
                plan=plan() page=payments.state busy=payments.busy retry=payments.retry() filters=FILTERS export=(Exporter::of(ask), "payments")
                lesson=Lesson { picture: Icon::Payments, title: text::NO_PAYMENTS, lesson: text::NO_PAYMENTS_LESSON, step: ("/paylinks/new", text::CREATE_PAYLINK) }
            />
            <Opened title=text::PAYMENT><OnePayment /></Opened>
        </div>
    }
}

#[component]
fn OnePayment() -> impl IntoView {
    let place = Place::here();
    let payment = load::<GetPayment>(move || {
        let payment_id = PaymentId::from_text(&place.get(name::OPEN)?).ok()?;
        Some(api::at(PaymentPath { payment_id }))
    });
    view! {
        <Record loaded=payment show=details />
        <Cancel ready=payment.ready() />
    }
}

#[component]
fn Cancel(ready: Memo<Option<Payment>>) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::here(), Live::here());
    let asked = RwSignal::new(false);
    let may =
        Memo::new(move |_| ready.with(|payment| payment.as_ref().is_some_and(Payment::may_cancel)));
    let cancel = Callback::new(move |()| {
        let Some(id) = ready.with_untracked(|payment| payment.as_ref().map(|payment| payment.id))
        else {
            return;
        };
        asked.set(false);
        form.send::<CancelPayment>(form::path("payment_id", id), move |_| {
            toasts.say(text::PAYMENT_CANCELED.to_owned());
            live.poke();
        });
    });
    view! {
        {move || form.trouble.get().map(|trouble| view! { <Failed trouble=trouble /> })}
        <Show when=move || may.get()>
            <div class="row"><button type="button" class="button danger" on:click=move |_| asked.set(true)>{text::CANCEL_PAYMENT}</button></div>
        </Show>
        <Confirm open=asked title=text::CANCEL_PAYMENT_ASK consequence=text::CANCEL_PAYMENT_WHY act=text::CANCEL_PAYMENT busy=form.busy on_confirm=cancel />
    }
}

fn details(payment: &Payment) -> AnyView {
    let whole = |what: &'static str| move |id: String| view! { <WholeId id=id what=what /> };
    let currency = payment.currency.to_string();
    let transaction = payment
        .crypto_transaction
        .as_ref()
        .map(|transaction| transaction.transaction_hash.clone());
    let confirmations = payment
        .crypto_transactions
        .as_ref()
        .and_then(|all| all.first()?.confirmations);
    let facts = Facts::default()
        .with(
            text::PAYMENT_ID,
            view! { <WholeId id=payment.id.to_string() what=text::PAYMENT /> },
        )
        .maybe(text::FOR, sold(payment), |name| name)
        .maybe(text::REFERENCE, payment.reference.clone(), |reference| {
            reference
        })
        .with(text::PAID, amount(&payment.paid_amount, &currency))
        .maybe(text::IN_DOLLARS, payment.amount_usd, |usd| {
            amount(&dollars(usd), "USD")
        })
        .maybe(text::CUSTOMER, payment.customer.clone(), |customer| {
            let id = customer.id.to_string();
            customer.name.or(customer.email).unwrap_or(id)
        })
        .maybe(text::TO_ACCOUNT, payment.to_account.clone(), |account| {
            account
                .name
                .or_else(|| account.reference.map(|reference| reference.to_string()))
                .unwrap_or_else(|| account.id.to_string())
        })
        .maybe(
            text::DEPOSIT_ADDRESS,
            payment.deposit_address.clone(),
            whole(text::DEPOSIT_ADDRESS),
        )
        .maybe(
            text::FROM,
            payment.sender_address.clone(),
            whole(text::FROM),
        )
        .maybe(text::TRANSACTION, transaction, whole(text::TRANSACTION))
        .maybe(text::CONFIRMATIONS, confirmations, |count| {
            count.to_string()
        })
        .with(text::CREATED, moment(payment.created_at))
        .maybe(text::EXPIRES, payment.expires_at, moment);
    let timeline = payment.timeline.clone().filter(|timeline| !timeline.is_empty()).map(|timeline| {
        let steps = timeline
            .iter()
            .map(|step| view! { <li class="row">{state(step.status.as_str(), None)}<span class="push quiet">{moment(step.at)}</span></li> })
            .collect_view();
        view! { <section class="stack-tight"><h3 class="section-title">{text::TIMELINE}</h3><ol class="timeline">{steps}</ol></section> }
    });
    view! {
        <div class="lede">{amount(&payment.amount, &currency)}{status(payment)}</div>
        {facts.view()}
        {timeline}
        {way_to(format!("/events?document_id={}", payment.id), Icon::Events, text::EVENTS_OF_PAYMENT)}
    }
    .into_any()
}
