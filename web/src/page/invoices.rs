//! Invoices with their payment status, and a printable sheet.

use leptos::prelude::*;
use settlekit_core::customer::{Customer, CustomerPath, GetCustomer};
use settlekit_core::invoice::{
    GetInvoice, GetInvoicePath, Invoice, InvoicePaymentStatus, ListInvoices, ListInvoicesQuery,
};
use settlekit_core::note::NotedRecord;
use settlekit_core::organisation::{GetOrganisation, Organisation};
use settlekit_core::subscription::{GetSubscription, GetSubscriptionPath, SubscriptionItem};
use settlekit_core::value::{InvoiceId, Param, SubscriptionId};

use crate::api;
use crate::form::notes::Notes;
use crate::list::{
    Column, EmptyState, FilterBar, FilterSpec, RecordDetails, RecordDrawer, RecordList, StatusTab,
    StatusTabs, TableSpec, actions_of, copy_acts, counts_of, exact, link_row, load_counted_list,
    load_opened,
};
use crate::record::customer::{CUSTOMER, CUSTOMERS, customer_name};
use crate::record::invoice::{property, subscription_of};
use crate::record::plan::billing_interval;
use crate::shell::{LiveBadge, Loaded, Location, failure_notice, load, name};
use crate::text;
use crate::ui::{
    CopyButton, Facts, Icon, Notice, PageHead, Tone, amount, day, icon, own_data, qr, status_badge,
    status_badge_as,
};

const STATUS: &str = "payment_status";
/// URL parameter with the subscription.
const SUBSCRIPTION: &str = "subscription_id";
const FILTERS: &[&str] = &[
    CUSTOMER,
    SUBSCRIPTION,
    STATUS,
    name::SINCE,
    name::UNTIL,
    name::SORT,
];

/// Properties set by the service, not by the merchant.
const SET_BY_SERVICE: &[&str] = &["title", "payment_link_id", "payment_url", "subscription_id"];

fn title(invoice: &Invoice) -> String {
    let title = property(invoice, "title").map(str::to_owned);
    title
        .or_else(|| invoice.reference.clone())
        .unwrap_or_else(|| text::invoice().to_owned())
}

fn payment(invoice: &Invoice) -> AnyView {
    status_badge(invoice.payment_status.as_str(), None).into_any()
}

fn dunning(invoice: &Invoice) -> AnyView {
    let word = invoice.dunning_status.as_str();
    status_badge_as(word, text::dunning(word)).into_any()
}

fn table_spec() -> TableSpec<Invoice> {
    TableSpec {
        caption: text::invoices(),
        columns: vec![
            Column::text(text::description(), "grow title", |invoice| {
                Some(title(invoice))
            }),
            Column::text(text::number(), "quiet skip-narrow fit", |invoice| {
                invoice.reference.clone()
            }),
            Column::exact(text::amount(), "end", |invoice| {
                exact(invoice.amount, invoice.currency.as_str())
            }),
            Column::new(text::payment_status(), "second", payment),
            Column::new(text::dunning_word(), "skip-narrow", dunning),
            Column::id(text::customer(), "skip-narrow", |invoice| {
                Some(invoice.customer_id.to_string())
            }),
            Column::time(text::due(), "fit second", |invoice| Some(invoice.due_at)),
        ],
        id: |invoice| invoice.id.to_string(),
    }
}

#[component]
pub(crate) fn Invoices() -> impl IntoView {
    let location = Location::from_context();
    let invoices = load_counted_list("invoices", move |list, counts| {
        Some(api::with_query::<ListInvoices>(ListInvoicesQuery {
            list,
            customer_id: location.param(CUSTOMER),
            subscription_id: location.param(SUBSCRIPTION),
            payment_status: location.param(STATUS),
            counts,
        }))
    });
    let mut filters = vec![
        FilterSpec::choice(text::payment_status(), STATUS, InvoicePaymentStatus::KNOWN)
            .in_tabs(InvoicePaymentStatus::KNOWN),
        FilterSpec::picker(text::customer(), CUSTOMER, CUSTOMERS, Icon::People),
        FilterSpec::text(text::subscription(), SUBSCRIPTION, "sub_…").by_link(),
    ];
    filters.extend(FilterSpec::by_date());
    let tabs = StatusTab::each(
        STATUS,
        InvoicePaymentStatus::KNOWN,
        text::words,
        counts_of(&invoices),
    );
    view! {
        <div class="page">
            <PageHead title=text::invoices() lead=text::invoices_lead()><LiveBadge /></PageHead>
            <StatusTabs label=text::payment_status() tabs=tabs />
            <FilterBar filters=filters />
            <RecordList
                spec=table_spec() list=invoices filters=FILTERS
                empty=EmptyState { picture: Icon::Invoice, title: text::no_invoices(), text: text::no_invoices_hint(), step: ("/subscriptions/new", text::create_subscription()) }
            />
            <RecordDrawer title=text::invoice()><OneInvoice /></RecordDrawer>
        </div>
    }
}

/// Loads the invoice in the URL.
fn open_invoice() -> Loaded<Invoice> {
    load_opened::<GetInvoice, _>(|invoice_id| GetInvoicePath { invoice_id })
}

#[component]
fn OneInvoice() -> impl IntoView {
    let invoice = open_invoice();
    let acts = |invoice_id: InvoiceId| {
        let page = format!("/invoices?open={invoice_id}");
        let sheet = format!("/invoices/sheet?open={invoice_id}");
        view! {
            <div class="row">
                <a class="button" href=sheet>{icon(Icon::Print)}{text::print_view()}</a>
                {copy_acts::<GetInvoice>(&page, GetInvoicePath { invoice_id })}
            </div>
        }
        .into_any()
    };
    let notes = |id: InvoiceId| {
        view! { <Notes record=NotedRecord::Invoice id=id.to_string() /> }.into_any()
    };
    view! {
        {move || invoice.read(lede)}
        {actions_of(invoice, |invoice| invoice.id, acts)}
        <RecordDetails loaded=invoice show=details />
        {actions_of(invoice, |invoice| invoice.id, notes)}
    }
}

fn lede(invoice: &Invoice) -> AnyView {
    view! { <div class="lede"><strong>{title(invoice)}</strong>{amount(&invoice.amount, invoice.currency.as_str())}{payment(invoice)}</div> }
        .into_any()
}

fn details(invoice: &Invoice) -> AnyView {
    let id = invoice.id.to_string();
    let url = property(invoice, "payment_url").map(str::to_owned);
    let facts = Facts::default()
        .id(text::invoice(), id.clone())
        .text(text::reference(), invoice.reference.clone())
        .with(
            text::document_status(),
            text::words(invoice.status.as_str()),
        )
        .with(text::dunning_word(), dunning(invoice))
        .time(text::due(), invoice.due_at)
        .time(text::issued(), invoice.issuing_at)
        .maybe(text::source(), invoice.source.as_ref(), |source| {
            text::words(source.as_str())
        });
    let pay = url.map(|url| {
        view! {
            <div class="stack-tight">
                <h3 class="section-title">{text::pay_page()}</h3>
                <div class="secret"><span>{url.clone()}</span><CopyButton text=url what=text::pay_page() /></div>
            </div>
        }
    });
    let customer = format!("/customers?open={}", invoice.customer_id);
    let mut links = vec![(customer, Icon::People, text::open_customer())];
    links.extend(subscription_of(invoice).map(|id| {
        let to = format!("/subscriptions?open={id}");
        (to, Icon::Turning, text::open_subscription())
    }));
    let events = format!("/events?document_id={id}");
    links.push((events, Icon::Events, text::view_events()));
    view! {
        {pay}
        {facts.view()}
        {own_data(&invoice.properties, SET_BY_SERVICE)}
        {link_row(links)}
    }
    .into_any()
}

#[component]
pub(crate) fn Sheet() -> impl IntoView {
    let location = Location::from_context();
    let invoice = open_invoice();
    let customer = load::<GetCustomer>(move || {
        let customer_id = invoice.read(|invoice| invoice.customer_id)?;
        Some(api::at(CustomerPath { customer_id }))
    });
    let subscription = load::<GetSubscription>(move || {
        let id = invoice.read(|invoice| subscription_of(invoice).map(str::to_owned))?;
        let subscription_id = SubscriptionId::from_text(&id?).ok()?;
        Some(api::at(GetSubscriptionPath { subscription_id }))
    });
    let organisation = load::<GetOrganisation>(|| Some(api::plain()));
    let has_subscription =
        move || invoice.read(|invoice| subscription_of(invoice).is_some()) == Some(true);
    let is_named = move || location.param::<InvoiceId>(name::OPEN).is_some();
    // An invoice without sender or recipient must not be printed.
    let failed = [
        invoice.failed(),
        customer.failed(),
        organisation.failed(),
        subscription.failed(),
    ];
    let failure = Memo::new(move |_| failed.into_iter().find_map(|failed| failed.get()));
    let waits = Memo::new(move |_| {
        failure.with(Option::is_none)
            && is_named()
            && (invoice.is_loading().get()
                || customer.is_loading().get()
                || organisation.is_loading().get()
                || has_subscription() && subscription.is_loading().get())
    });
    let retry = Callback::new(move |()| {
        invoice.retry().run(());
        customer.retry().run(());
        organisation.retry().run(());
        subscription.retry().run(());
    });
    let (ready, customer, organisation) = (invoice.ready(), customer.ready(), organisation.ready());
    let items = Memo::new(move |_| {
        subscription
            .read(|one| one.items.clone())
            .unwrap_or_default()
    });
    let print = move |_| {
        // Does nothing in a browser without printing.
        let _ = window().print();
    };
    let back = move || {
        format!(
            "/invoices?open={}",
            location.get(name::OPEN).unwrap_or_default()
        )
    };
    view! {
        <div class="page">
            <PageHead title=text::invoice() above=("/invoices", text::invoices())>
                <a class="button" href=back>{icon(Icon::Left)}{text::back_to_invoice()}</a>
                <button type="button" class="button primary" on:click=print>{icon(Icon::Print)}{text::print()}</button>
            </PageHead>
            {move || (!is_named()).then(|| view! { <Notice tone=Tone::Warn title=text::nowhere()>{text::sheet_not_named()}</Notice> })}
            {failure_notice(failure.into(), Some(retry))}
            <Show when=move || waits.get()><section class="panel"><div class="panel-body stack"><span class="bone b3 tall"></span><span class="bone b4"></span><span class="bone plot"></span></div></section></Show>
            {move || ready.get().filter(|_| !waits.get() && failure.with(Option::is_none)).map(|invoice| paper(&invoice, customer.get(), &items.get(), organisation.get()))}
        </div>
    }
}

fn paper(
    invoice: &Invoice,
    customer: Option<Customer>,
    items: &[SubscriptionItem],
    organisation: Option<Organisation>,
) -> AnyView {
    let merchant = organisation.as_ref().map(|one| one.name.clone());
    let logo = organisation.and_then(|one| one.logo_url);
    let paid = invoice.payment_status == InvoicePaymentStatus::Succeeded;
    // The invoice number, as used in accounting.
    let number = invoice.reference.clone();
    let number = number.unwrap_or_else(|| invoice.id.to_string());
    let lines = items
        .iter()
        .filter_map(|item| item.plan.as_ref())
        .map(|plan| {
            view! {
                <tr><td>{plan.name.clone()}</td><td class="quiet">{billing_interval(plan)}</td><td class="end">{amount(&plan.price, plan.currency.as_str())}</td></tr>
            }
        })
        .collect_view();
    let to = customer.as_ref().map(|customer| {
        let email = customer.email.clone().filter(|_| customer.name.is_some());
        view! { <strong>{customer_name(Some(customer), customer.id)}</strong><span>{email}</span> }
    });
    let pay = property(invoice, "payment_url").filter(|_| !paid).map(|url| {
        view! {
            <section class="sheet-pay">
                {qr(url, text::pay_by_link())}
                <div class="stack-tight"><strong>{text::pay_by_link()}</strong><span class="mono">{url.to_owned()}</span><p class="quiet">{text::pay_by_link_why()}</p></div>
            </section>
        }
    });
    view! {
        <article class="sheet">
            <header class="sheet-head">
                <div class="stack-tight">
                    {logo.map(|url| view! { <img class="sheet-logo" src=url alt="" /> })}
                    <strong class="sheet-from">{merchant}</strong>
                </div>
                <div class="stack-tight end"><h2>{text::invoice()}</h2><span class="mono">{number}</span></div>
            </header>
            <div class="sheet-parties">
                <div class="stack-tight"><span class="quiet">{text::billed_to()}</span>{to}</div>
                <dl class="facts">
                    <dt>{text::issued()}</dt><dd>{day(invoice.issuing_at)}</dd>
                    <dt>{text::due()}</dt><dd>{day(invoice.due_at)}</dd>
                    <dt>{text::payment_status()}</dt><dd>{payment(invoice)}</dd>
                </dl>
            </div>
            <table class="table sheet-lines">
                <caption class="hidden-text">{text::items()}</caption>
                <thead><tr><th scope="col">{text::description()}</th><th scope="col">{text::billed()}</th><th scope="col" class="end">{text::price()}</th></tr></thead>
                <tbody>
                    {items.is_empty().then(|| view! { <tr><td>{title(invoice)}</td><td></td><td class="end">{amount(&invoice.amount, invoice.currency.as_str())}</td></tr> })}
                    {lines}
                </tbody>
            </table>
            <p class="sheet-sum"><span>{if paid { text::paid_in_full() } else { text::sum_due() }}</span>{amount(&invoice.amount, invoice.currency.as_str())}</p>
            {pay}
        </article>
    }
    .into_any()
}
