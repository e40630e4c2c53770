//! One payment or payout: head and actions, facts, related records, and its timeline.

use leptos::prelude::*;
use settlekit_core::payment::{
    CancelPayment, CryptoTransaction, GetPayment, Payment, PaymentMethod, PaymentPath,
    PaymentStatus, PayoutSplit, TransferLog,
};
use settlekit_core::value::{Amount, PaymentId};

use crate::form::refund_payment::RefundPaymentForm;
use crate::form::{Form, address_link, chain_name, form_failure, path_argument, transaction_link};
use crate::list::{
    Column, RecordDetails, TableSpec, actions_of, copy_acts, exact, link_row, load_opened,
    static_table,
};
use crate::page::payment_timeline::Timeline;
use crate::record::account::summary_link;
use crate::record::customer::customer_name;
use crate::shell::{Live, Loaded, Location, name};
use crate::text::{self, money as words};
use crate::ui::{
    Confirm, Dialog, Facts, Icon, Id, Toasts, WholeId, amount, count_text, dollars, icon, own_data,
    qr, shortened, status_badge, stored_text,
};

/// Metadata keys of data given by the payer.
const SHIPPING: &str = "shipping_address";
const TAX: &str = "tax_ident";
/// Metadata key of the subscription that the payment starts.
const SUBSCRIPTION: &str = "subscription_id";
/// Metadata keys shown elsewhere or set by the service.
const SHOWN: &[&str] = &[SHIPPING, TAX, SUBSCRIPTION, "automation_id"];

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

pub(super) fn product_name(payment: &Payment) -> Option<String> {
    let link = payment.payment_link.as_ref()?;
    Some(
        link.plan
            .as_ref()
            .map_or_else(|| shortened(&link.id.to_string()), |plan| plan.name.clone()),
    )
}

pub(super) fn is_payout(payment: &Payment) -> bool {
    payment.payment_method == PaymentMethod::Payout
}

#[component]
pub(super) fn OnePayment() -> impl IntoView {
    let payment = load_opened::<GetPayment, _>(|payment_id| PaymentPath { payment_id });
    view! {
        {move || payment.read(lede)}
        {actions_of(payment, |payment| payment.id, move |id| view! { <Acts id=id payment=payment /> }.into_any())}
        <RecordDetails loaded=payment show=facts />
        {timeline_of(payment)}
    }
}

/// The timeline of the open payment or payout.
pub(super) fn timeline_of(payment: Loaded<Payment>) -> AnyView {
    actions_of(
        payment,
        |payment| payment.id,
        |id| view! { <Timeline id=id /> }.into_any(),
    )
}

/// Buttons that copy a payment's link and the call that reads it. `page` is that of payments or of payouts.
pub(super) fn copy_acts_of(page: &str, payment_id: PaymentId) -> AnyView {
    let page = format!("{page}?open={payment_id}");
    copy_acts::<GetPayment>(&page, PaymentPath { payment_id })
}

/// Actions on a payment, or why there are none.
#[component]
fn Acts(id: PaymentId, payment: Loaded<Payment>) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::from_context(), Live::from_context());
    let confirming = RwSignal::new(false);
    let refunding = RwSignal::new(false);
    let stop = Callback::new(move |()| refunding.set(false));
    let obstacle = Memo::new(move |_| payment.read(Payment::cancel_obstacle));
    // A payout is canceled on its own page.
    let may_cancel = move || obstacle.get() == Some(None) && payment.read(is_payout) != Some(true);
    // Final payments need no reason why they can't be canceled.
    let open = move || payment.read(is_waiting) == Some(true);
    let refundable = move || payment.read(Payment::refundable).flatten().is_some();
    let cancel = Callback::new(move |()| {
        form.send::<CancelPayment>(path_argument("payment_id", id), move |_| {
            toasts.say(text::payment_canceled().to_owned());
            live.refresh();
        });
    });
    // The palette opens a payment with an action: its dialog is shown once.
    let location = Location::from_context();
    Effect::new(move |_| {
        let Some(act) = location.get(name::ACT) else {
            return;
        };
        untrack(|| {
            refunding.set(act == name::ACT_REFUND && refundable());
            confirming.set(act == name::ACT_CANCEL && may_cancel());
            location.go(&location.with(&[(name::ACT, None)]), true);
        });
    });
    let sent = Callback::new(move |()| {
        refunding.set(false);
        toasts.say(words::refund_sent().to_owned());
        live.refresh();
    });
    view! {
        {form_failure(form)}
        <div class="stack-tight">
            <div class="row">
                <Show when=refundable>
                    <button data-scope="payout" type="button" class="button" on:click=move |_| refunding.set(true)>{icon(Icon::Back)}{words::refund()}</button>
                </Show>
                <Show when=open>
                    <button
                        type="button" data-scope="write" class="button danger" disabled=move || !may_cancel() || form.busy.get()
                        on:click=move |_| confirming.set(true)
                    >{text::cancel_payment()}</button>
                </Show>
                {copy_acts_of("/payments", id)}
            </div>
            <Show when=open>
                {move || obstacle.get().flatten().map(|obstacle| view! { <p class="quiet">{words::cancel_obstacle(obstacle)}</p> })}
            </Show>
        </div>
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

pub(super) fn lede(payment: &Payment) -> AnyView {
    let paid = amount(&payment.amount, payment.currency.as_str());
    view! { <div class="lede">{paid}{status(payment)}</div> }.into_any()
}

pub(super) fn facts(payment: &Payment) -> AnyView {
    let answer = |name| stored_text(&payment.metadata, name);
    let lines = |value: String| view! { <span class="lines">{value}</span> };
    let currency = payment.currency.to_string();
    let payout = is_payout(payment);
    // Without a fee, gross and net repeat the amount.
    let has_fee = payment.fee_amount.is_some_and(|fee| fee.is_positive());
    let charged = |amount: Option<Amount>| amount.filter(|_| has_fee);
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
        .maybe(text::timeline::gross(), charged(payment.gross_amount), |gross| {
            amount(&gross, &currency)
        })
        .maybe(words::fees(), charged(payment.fee_amount), |fee| {
            amount(&fee, &currency)
        })
        .maybe(text::timeline::net(), charged(payment.net_amount), |net| {
            amount(&net, &currency)
        })
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
    let refunded = payment.parent_id.map(|id| {
        let to = format!("/payments?open={id}");
        (to, Icon::Payments, text::open_payment())
    });
    let links = refunded
        .into_iter()
        .chain(sold_by)
        .chain(subscription)
        .chain([events])
        .collect();
    let transfers = payment.crypto_transactions.as_deref().map(transfer_rows);
    view! {
        {code}
        {facts.view()}
        {link_row(links)}
        {section(words::transactions(), &transaction_spec(), payment.crypto_transactions.clone())}
        {section(words::token_transfers(), &transfer_spec(), transfers)}
        {section(words::payout_splits(), &payout_split_spec(), payment.payout_splits.clone())}
        {own_data(payment.metadata.iter().chain(&payment.properties), SHOWN)}
    }
    .into_any()
}
