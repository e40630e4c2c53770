//! Payments, and one payment with its transactions and timeline.

use leptos::prelude::*;
use settlekit_core::payment::{
    CancelPayment, CryptoTransaction, GetPayment, ListPayments, ListPaymentsQuery, Payment,
    PaymentMethod, PaymentPath, PaymentStatus, PayoutSplit, TransferLog,
};
use settlekit_core::value::PaymentId;

use crate::api;
use crate::form::create_payment::CreatePaymentForm;
use crate::form::refund_payment::RefundPaymentForm;
use crate::form::{
    Form, address_link, chain_name, chains, currencies_on, form_failure, path_argument,
    same_labels, transaction_link,
};
use crate::list::{
    Column, EmptyState, ExactAmount, FilterBar, FilterSpec, NewRecordDrawer, RecordDetails,
    RecordDrawer, RecordList, TableSpec, actions_of, exact, link_row, load_list, load_opened,
    static_table,
};
use crate::record::account::summary_link;
use crate::record::customer::{CUSTOMER, CUSTOMERS, customer_name};
use crate::record::paylink::PAYLINKS;
use crate::record::payment::{Shown, method_options, received_methods};
use crate::shell::{Live, LiveBadge, Loaded, Location, name};
use crate::text::{self, money as words};
use crate::ui::{
    Confirm, Dialog, Facts, Icon, Id, PageHead, Toasts, WholeId, amount, count_text, dollars, icon,
    own_data, qr, shortened, status_badge, stored_text, timestamp,
};

const STATUS: &str = "status";
/// Metadata keys of data given by the payer.
const SHIPPING: &str = "shipping_address";
const TAX: &str = "tax_ident";
/// Metadata key of the subscription that the payment starts.
const SUBSCRIPTION: &str = "subscription_id";
/// Metadata keys shown elsewhere or set by the service.
const SHOWN: &[&str] = &[SHIPPING, TAX, SUBSCRIPTION, "automation_id"];
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

pub(super) fn status(payment: &Payment) -> AnyView {
    status_badge(
        payment.status.as_str(),
        payment.reason.as_ref().map(|reason| reason.as_str()),
    )
    .into_any()
}

/// Whether the payment is not final.
fn is_waiting(payment: &Payment) -> bool {
    matches!(
        payment.status,
        PaymentStatus::Pending | PaymentStatus::Processing
    )
}

fn product_name(payment: &Payment) -> Option<String> {
    let link = payment.payment_link.as_ref()?;
    Some(
        link.plan
            .as_ref()
            .map_or_else(|| shortened(&link.id.to_string()), |plan| plan.name.clone()),
    )
}

/// Name of the payer, if known.
fn payer_name(payment: &Payment) -> Option<String> {
    let customer = payment.customer.as_ref()?;
    customer.name.clone().or_else(|| customer.email.clone())
}

fn is_payout(payment: &Payment) -> bool {
    payment.payment_method == PaymentMethod::Payout
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
    let payments = load_list("payments", move |list| {
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
        FilterSpec::choice(text::status(), STATUS, PaymentStatus::KNOWN),
        FilterSpec::amounts(symbols),
        FilterSpec::picker(text::customer(), CUSTOMER, CUSTOMERS, Icon::People),
        FilterSpec::picker(text::paylink(), PAYLINK, PAYLINKS, Icon::Link),
        FilterSpec::options(text::type_(), METHOD, methods, text::payments()),
    ];
    filters.extend(FilterSpec::by_date());
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

#[component]
fn OnePayment() -> impl IntoView {
    let payment = load_opened::<GetPayment, _>(|payment_id| PaymentPath { payment_id });
    view! {
        <RecordDetails loaded=payment show=details />
        {actions_of(payment, |payment| payment.id, move |id| view! { <Acts id=id payment=payment /> }.into_any())}
    }
}

/// Actions on a payment, or why there are none.
#[component]
fn Acts(id: PaymentId, payment: Loaded<Payment>) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::from_context(), Live::from_context());
    let confirming = RwSignal::new(false);
    let refunding = RwSignal::new(false);
    let stop = Callback::new(move |()| refunding.set(false));
    let obstacle = Memo::new(move |_| payment.read(Payment::cancel_obstacle));
    // Final payments need no reason why they can't be canceled.
    let open = move || payment.read(is_waiting) == Some(true);
    let refundable = move || payment.read(Payment::refundable).flatten().is_some();
    let cancel = Callback::new(move |()| {
        form.send::<CancelPayment>(path_argument("payment_id", id), move |_| {
            toasts.say(text::payment_canceled().to_owned());
            live.refresh();
        });
    });
    let sent = Callback::new(move |()| {
        refunding.set(false);
        toasts.say(words::refund_sent().to_owned());
        live.refresh();
    });
    view! {
        {form_failure(form)}
        <Show when=open>
            <div class="stack-tight">
                <div class="row"><button
                    type="button" data-scope="write" class="button danger" disabled=move || obstacle.get() != Some(None) || form.busy.get()
                    on:click=move |_| confirming.set(true)
                >{text::cancel_payment()}</button></div>
                {move || obstacle.get().flatten().map(|obstacle| view! { <p class="quiet">{words::cancel_obstacle(obstacle)}</p> })}
            </div>
        </Show>
        <Show when=refundable>
            <div class="row"><button data-scope="payout" type="button" class="button" on:click=move |_| refunding.set(true)>{icon(Icon::Back)}{words::refund()}</button></div>
        </Show>
        <Confirm open=confirming title=text::cancel_payment_ask() consequence=text::cancel_payment_why() act=text::cancel_payment() busy=form.busy on_confirm=cancel />
        <Dialog open=refunding close=stop title=words::refund_title()>
            {move || untrack(|| payment.read(Payment::clone)).map(|payment| view! { <RefundPaymentForm payment=payment cancel=stop done=sent /> })}
        </Dialog>
    }
}

/// `3 of 12`, or the count once it is enough.
fn confirmations(count: Option<u32>, needed: Option<u32>) -> Option<String> {
    let count = count?;
    Some(match needed {
        Some(needed) if count < needed => text::confirmations_of(count, needed),
        _ => count.to_string(),
    })
}

fn transaction_spec() -> TableSpec<CryptoTransaction> {
    TableSpec {
        caption: words::transactions(),
        columns: vec![
            Column::new(text::transaction(), "title", |seen| {
                let hash = seen.transaction_hash.clone();
                view! { <span class="row tight"><Id id=hash what=text::transaction() />{transaction_link(seen.chain_id, &seen.transaction_hash)}</span> }
                    .into_any()
            }),
            Column::new(text::amount(), "end", |seen| {
                let currency = seen.currency.as_ref().map_or("", |one| one.as_str());
                amount(&seen.value, currency).into_any()
            }),
            Column::new(text::status(), "second", |seen| {
                status_badge(seen.status.as_str(), None).into_any()
            }),
            Column::text(text::confirmations(), "named", |seen| {
                confirmations(seen.confirmations, seen.confirmations_required)
            }),
            Column::text(text::block(), "named", |seen| {
                seen.block_number.map(count_text)
            }),
            Column::text(text::type_(), "quiet named", |seen| {
                Some(text::words(seen.r#type.as_str()))
            }),
        ],
        id: |seen| format!("{} {}", seen.id, seen.transaction_hash),
    }
}

/// A token transfer and its transaction.
#[derive(Debug, Clone, PartialEq)]
struct TransferRow {
    transaction: String,
    location: usize,
    log: TransferLog,
}

fn transfer_rows(seen: &[CryptoTransaction]) -> Vec<TransferRow> {
    let of = |one: &CryptoTransaction| {
        let transaction = one.transaction_hash.clone();
        let logs = one.transfer_logs.clone().unwrap_or_default();
        logs.into_iter()
            .enumerate()
            .map(move |(location, log)| TransferRow {
                transaction: transaction.clone(),
                location,
                log,
            })
    };
    seen.iter().flat_map(of).collect()
}

fn transfer_spec() -> TableSpec<TransferRow> {
    TableSpec {
        caption: words::token_transfers(),
        columns: vec![
            Column::id(text::from(), "title", |row| Some(row.log.sender.clone())),
            Column::id(text::to(), "named", |row| Some(row.log.recipient.clone())),
            Column::new(words::smallest_units(), "end named", |row| {
                view! { <span class="mono">{row.log.value.clone()}</span> }.into_any()
            }),
            Column::id(words::token(), "named", |row| Some(row.log.address.clone())),
        ],
        id: |row| format!("{} {}", row.transaction, row.location),
    }
}

fn payout_split_spec() -> TableSpec<PayoutSplit> {
    TableSpec {
        caption: words::payout_splits(),
        columns: vec![
            Column::new(text::to(), "title", |split| {
                match (&split.address, split.destination_account_id) {
                    (_, Some(account)) => view! { <a href=format!("/accounts/{account}")>{text::account_of(account.get())}</a> }.into_any(),
                    (Some(address), None) => {
                        view! { {split.reference.clone()} " " <Id id=address.clone() what=words::address() /> }.into_any()
                    }
                    (None, None) => ().into_any(),
                }
            }),
            Column::exact(text::amount(), "end", |split| {
                exact(split.amount, split.currency.as_str())
            }),
        ],
        id: |split| format!("{split:?}"),
    }
}

/// A titled table inside a record; nothing without rows.
fn section<T: 'static>(
    title: &'static str,
    spec: &TableSpec<T>,
    rows: Option<Vec<T>>,
) -> Option<AnyView> {
    let rows = rows.filter(|rows| !rows.is_empty())?;
    Some(view! { <section class="stack-tight"><h3 class="section-title">{title}</h3><div class="inset">{static_table(spec, &rows)}</div></section> }.into_any())
}

pub(crate) fn details(payment: &Payment) -> AnyView {
    view! { {lede(payment)}{facts(payment)} }.into_any()
}

pub(super) fn lede(payment: &Payment) -> AnyView {
    let paid = amount(&payment.amount, payment.currency.as_str());
    view! { <div class="lede">{paid}{status(payment)}</div> }.into_any()
}

pub(super) fn facts(payment: &Payment) -> AnyView {
    let answer = |name| stored_text(&payment.metadata, name);
    let lines = |value: String| view! { <span class="lines">{value}</span> };
    let currency = payment.currency.to_string();
    let payout = is_payout(payment);
    let what = if payout {
        words::payout()
    } else {
        text::payment()
    };
    let chain = payment.chain_id;
    let at_explorer = |address: &str| chain.map(|chain| address_link(chain, address));
    let facts = Facts::default()
        .id(what, payment.id.to_string())
        .text(text::description(), product_name(payment))
        .text(text::reference(), payment.reference.clone())
        .with(
            if payout { words::sent() } else { text::paid() },
            amount(&payment.paid_amount, &currency),
        )
        .maybe(words::refunded(), payment.refunded_amount, |refunded| {
            amount(&refunded, &currency)
        })
        .maybe(
            words::refunding(),
            payment.refunding_amount,
            |refunding| amount(&refunding, &currency),
        )
        .maybe(text::in_dollars(), payment.amount_usd, |usd| {
            amount(&dollars(usd), "USD")
        })
        .maybe(
            words::network_fee(),
            payment.network_fee.zip(payment.network_fee_currency.as_ref()),
            |(fee, native)| {
                let worth = payment
                    .network_fee_usd
                    .map(|usd| view! { <span class="quiet">"≈ "{amount(&usd, "USD")}</span> });
                view! { <span class="row tight">{amount(&fee, native.as_str())}{worth}</span><p class="quiet">{words::paid_by_operator()}</p> }
            },
        )
        .maybe(text::customer(), payment.customer.as_ref(), |customer| {
            let href = format!("/customers?open={}", customer.id);
            view! { <a href=href>{customer_name(Some(customer), customer.id)}</a> }
        })
        .maybe(text::from(), payment.from_account.clone(), summary_link)
        .maybe(text::to_account(), payment.to_account.clone(), summary_link)
        .id_with(text::deposit_address(), payment.deposit_address.clone(), at_explorer)
        .maybe(text::chain(), payment.chain_id, chain_name)
        .id_with(words::sender(), payment.sender_address.clone(), at_explorer)
        .maybe(
            words::settlement_transaction(),
            payment.settlement_transaction.clone(),
            |settled| {
                let depth = settled.block_number.map(|block| {
                    let depth = confirmations(settled.confirmations, settled.confirmations_required);
                    let block = text::in_block_number(&count_text(block));
                    view! { <p class="quiet">{block}{depth.map(|depth| format!(" · {}: {depth}", text::confirmations()))}</p> }
                });
                let link = transaction_link(settled.chain_id, &settled.transaction_hash);
                view! { <span class="row tight"><WholeId id=settled.transaction_hash what=words::settlement_transaction() />{link}</span>{status_badge(settled.status.as_str(), None)}{depth} }
            },
        )
        .maybe(text::shipping_address(), answer(SHIPPING), lines)
        .maybe(text::tax_number(), answer(TAX), lines)
        .time(text::created(), payment.created_at)
        .time(text::expires(), payment.expires_at);
    let code = payment.deposit_address.as_ref().filter(|_| is_waiting(payment) && !payout).map(|address| {
        view! { <details class="more"><summary>{icon(Icon::Right)}{text::qr_code()}</summary>{qr(address, words::qr_of_address())}</details> }
    });
    // The paylink of an invoice only leads to the invoice: link to the invoice itself.
    let sold_by = match (payment.invoice_id, &payment.payment_link) {
        (Some(id), _) => {
            let to = format!("/invoices?open={id}");
            Some((to, Icon::Invoice, text::open_invoice()))
        }
        (None, Some(link)) => {
            let to = format!("/paylinks?open={}", link.id);
            Some((to, Icon::Link, text::open_paylink()))
        }
        (None, None) => None,
    };
    let events = format!("/events?document_id={}", payment.id);
    let events = (events, Icon::Events, text::view_events());
    let subscription = stored_text(&payment.properties, SUBSCRIPTION).map(|id| {
        let to = format!("/subscriptions?open={id}");
        (to, Icon::Turning, text::open_subscription())
    });
    let links = sold_by
        .into_iter()
        .chain(subscription)
        .chain([events])
        .collect();
    let transfers = payment.crypto_transactions.as_deref().map(transfer_rows);
    let timeline = payment.timeline.clone().filter(|timeline| !timeline.is_empty()).map(|timeline| {
        let steps = timeline
            .iter()
            .map(|step| view! { <li class="row">{status_badge(step.status.as_str(), None)}<span class="push quiet">{timestamp(step.at)}</span></li> })
            .collect_view();
        view! { <section class="stack-tight"><h3 class="section-title">{text::timeline()}</h3><ol class="timeline">{steps}</ol></section> }
    });
    view! {
        {code}
        {facts.view()}
        {section(words::transactions(), &transaction_spec(), payment.crypto_transactions.clone())}
        {section(words::token_transfers(), &transfer_spec(), transfers)}
        {section(words::payout_splits(), &payout_split_spec(), payment.payout_splits.clone())}
        {timeline}
        {own_data(payment.metadata.iter().chain(&payment.properties), SHOWN)}
        {link_row(links)}
    }
    .into_any()
}
