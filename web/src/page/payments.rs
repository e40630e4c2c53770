//! Payments.

use leptos::prelude::*;
use settlekit_core::payment::{
    ListPayments, ListPaymentsQuery, Payment, PaymentMethod, PaymentStatus,
};

use crate::api;
use crate::form::create_payment::CreatePaymentForm;
use crate::form::{chains, currencies_on, same_labels};
use crate::list::{
    Column, EmptyState, ExactAmount, FilterBar, FilterSpec, NewRecordDrawer, RecordDrawer,
    RecordList, StatusTab, StatusTabs, TableSpec, counts_of, load_counted_list,
};
use crate::page::one_payment::{OnePayment, is_payout, product_name, status};
use crate::record::customer::{CUSTOMER, CUSTOMERS};
use crate::record::paylink::PAYLINKS;
use crate::record::payment::{Shown, method_options, received_methods};
use crate::shell::{LiveBadge, Location, name};
use crate::text::{self, money as words};
use crate::ui::{Icon, PageHead, Toasts, icon};

const STATUS: &str = "status";
/// URL parameter with the paylink.
const PAYLINK: &str = "paylink_id";
/// URL parameter with the methods; without it, payouts are left out.
const METHOD: &str = "payment_method";
const FILTERS: &[&str] = &[
    name::SEARCH,
    METHOD,
    CUSTOMER,
    PAYLINK,
    STATUS,
    name::CURRENCY,
    name::AMOUNT_FROM,
    name::AMOUNT_TO,
    name::SINCE,
    name::UNTIL,
    name::SORT,
];

/// Name of the payer, if known.
fn payer_name(payment: &Payment) -> Option<String> {
    let customer = payment.customer.as_ref()?;
    customer.name.clone().or_else(|| customer.email.clone())
}

/// What was sold; for a payout its type and reference.
fn description(payment: &Payment) -> String {
    let reference = payment.reference.clone();
    if !is_payout(payment) {
        let sold = product_name(payment).or(reference);
        return sold.unwrap_or_else(|| text::no_link().to_owned());
    }
    let kind = match payment.parent_id {
        Some(_) => words::refund_record(),
        None => words::payout(),
    };
    match reference {
        Some(reference) => format!("{kind} · {reference}"),
        None => kind.to_owned(),
    }
}

fn table_spec() -> TableSpec<Payment> {
    TableSpec {
        caption: text::payments(),
        columns: vec![
            Column::text(text::description(), "grow title", |payment| {
                Some(description(payment))
            }),
            Column::exact(text::amount(), "end", |payment| {
                Some(ExactAmount {
                    amount: payment.amount,
                    currency: payment.currency.as_str(),
                    out: is_payout(payment).then_some(true),
                })
            }),
            Column::new(text::status(), "second", status),
            Column::text(text::customer(), "quiet skip-narrow", payer_name),
            Column::id(text::payment(), "skip-narrow", |payment| {
                Some(payment.id.to_string())
            }),
            Column::time(text::when(), "fit second", |payment| {
                Some(payment.created_at)
            }),
        ],
        id: |payment| payment.id.to_string(),
    }
}

#[component]
pub(crate) fn Payments() -> impl IntoView {
    let (location, toasts) = (Location::from_context(), Toasts::from_context());
    let payments = load_counted_list("payments", move |list, counts| {
        Some(api::with_query::<ListPayments>(ListPaymentsQuery {
            list,
            customer_id: location.param(CUSTOMER),
            paylink_id: location.param(PAYLINK),
            status: location.param(STATUS),
            payment_method: location
                .param_list(METHOD)
                .or_else(|| Some(received_methods())),
            currency: location.param_list(name::CURRENCY),
            amount_from: location.param(name::AMOUNT_FROM),
            amount_to: location.param(name::AMOUNT_TO),
            search: location.get(name::SEARCH),
            counts,
        }))
    });
    let reload = payments.reload;
    let shown =
        Memo::new(move |_| Shown::of(location.param_list::<PaymentMethod>(METHOD).as_deref()));
    let chains = chains();
    let symbols = Signal::derive(move || same_labels(currencies_on(chains, "")));
    let methods = Signal::stored(method_options());
    let mut filters = vec![
        FilterSpec::search(text::search_payments()),
        FilterSpec::choice(text::status(), STATUS, PaymentStatus::KNOWN)
            .in_tabs(PaymentStatus::KNOWN),
        FilterSpec::amounts(symbols),
        FilterSpec::picker(text::customer(), CUSTOMER, CUSTOMERS, Icon::People),
        FilterSpec::picker(text::paylink(), PAYLINK, PAYLINKS, Icon::Link),
        FilterSpec::options(text::type_(), METHOD, methods, text::payments()),
    ];
    filters.extend(FilterSpec::by_date());
    let counts = counts_of(&payments);
    let tabs = StatusTab::each(STATUS, PaymentStatus::KNOWN, text::words, counts);
    let close = Callback::new(move |()| location.close_new());
    let done = Callback::new(move |made: Payment| {
        toasts.say(words::payment_made().to_owned());
        reload.run(());
        location.open_created(made.id.to_string());
    });
    view! {
        <div class="page">
            {move || view! {
                <PageHead title=shown.get().title() lead=shown.get().lead()>
                    <LiveBadge />
                    <button type="button" data-scope="write" class="button primary" on:click=move |_| location.open_new()>{icon(Icon::Plus)}{words::create_payment()}</button>
                </PageHead>
            }}
            <StatusTabs label=text::status() tabs=tabs />
            <FilterBar filters=filters />
            <RecordList
                spec=table_spec() list=payments filters=FILTERS
                empty=EmptyState { picture: Icon::Payments, title: text::no_payments(), text: text::no_payments_hint(), step: ("/paylinks/new", text::create_paylink()) }
            />
            <RecordDrawer title=text::payment()><OnePayment /></RecordDrawer>
            <NewRecordDrawer title=words::create_payment()>
                <p class="quiet">{words::create_payment_why()}</p>
                <CreatePaymentForm done=done cancel=close />
            </NewRecordDrawer>
        </div>
    }
}
