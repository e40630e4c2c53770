//! Customers with their payments and details.

use leptos::prelude::*;
use settlekit_core::customer::{
    Customer, CustomerItem, CustomerPath, GetCustomer, ListCustomers, ListCustomersQuery, VisitType,
};
use settlekit_core::note::NotedRecord;
use settlekit_core::value::CustomerId;

use crate::api;
use crate::form::notes::Notes;
use crate::form::update_customer::UpdateCustomerForm;
use crate::list::{
    Column, EmptyState, FilterBar, FilterSpec, RecordDetails, RecordDrawer, RecordList, TableSpec,
    actions_of, copy_acts, exact, link_row, load_list, load_opened, opened_record,
};
use crate::shell::{Live, LiveBadge, Location, name};
use crate::text;
use crate::ui::{
    Facts, Icon, PageHead, count_text, dollars, icon, own_data, status_badge, stored_text,
};

const VISITS: &str = "visit_type";
const FILTERS: &[&str] = &[name::SEARCH, VISITS, name::SINCE, name::UNTIL, name::SORT];

fn display_name(item: &CustomerItem) -> String {
    let names = [&item.name, &item.email, &item.customer_ident];
    names
        .into_iter()
        .find_map(Clone::clone)
        .unwrap_or_else(|| text::guest().to_owned())
}

fn table_spec() -> TableSpec<CustomerItem> {
    TableSpec {
        caption: text::customers(),
        columns: vec![
            Column::new(text::name(), "grow title", |item| {
                let deleted = item.is_deleted.then(|| status_badge("Deleted", None));
                view! { {display_name(item)} {deleted} }.into_any()
            }),
            Column::text(text::payments(), "end named", |item| {
                Some(count_text(item.payments_count))
            }),
            Column::exact(text::spent(), "end named", |item| {
                exact(dollars(item.spent_usd?), "USD")
            }),
            Column::text(text::email(), "quiet skip-narrow", |item| {
                item.email.clone()
            }),
            Column::text(text::reference(), "quiet skip-narrow", |item| {
                item.customer_ident
                    .clone()
                    .filter(|ident| item.email.as_ref() != Some(ident))
            }),
            Column::time(text::last_payment(), "fit second", |item| {
                item.last_payment_date
            }),
        ],
        id: |item| item.id.to_string(),
    }
}

#[component]
pub(crate) fn Customers() -> impl IntoView {
    let location = Location::from_context();
    let customers = load_list("customers", move |list| {
        Some(api::with_query::<ListCustomers>(ListCustomersQuery {
            list,
            search: location.get(name::SEARCH),
            visit_type: location.param(VISITS),
        }))
    });
    let mut filters = vec![
        FilterSpec::search(text::search_customers()),
        FilterSpec::choice(text::visits(), VISITS, VisitType::KNOWN),
    ];
    filters.extend(FilterSpec::by_date());
    view! {
        <div class="page">
            <PageHead title=text::customers() lead=text::customers_lead()><LiveBadge /></PageHead>
            <FilterBar filters=filters />
            <RecordList
                spec=table_spec() list=customers filters=FILTERS
                empty=EmptyState { picture: Icon::People, title: text::no_customers(), text: text::no_customers_hint(), step: ("/paylinks/new", text::create_paylink()) }
            />
            <RecordDrawer title=text::customer()><OneCustomer /></RecordDrawer>
        </div>
    }
}

#[component]
fn OneCustomer() -> impl IntoView {
    let live = Live::from_context();
    let customer = load_opened::<GetCustomer, _>(|customer_id| CustomerPath { customer_id });
    let opened = opened_record(customer, |customer| customer.id.to_string());
    let saved = Callback::new(move |record: Customer| {
        customer.put(record);
        live.refresh();
    });
    let acts = move |customer_id: CustomerId| {
        let page = format!("/customers?open={customer_id}");
        let to = format!("/subscriptions/new?customer_id={customer_id}");
        view! {
            <div class="row">
                <a data-scope="write" class="button" href=to>{icon(Icon::Plus)}{text::subscribe()}</a>
                {copy_acts::<GetCustomer>(&page, CustomerPath { customer_id })}
            </div>
        }
        .into_any()
    };
    let notes = |id: CustomerId| {
        view! { <Notes record=NotedRecord::Customer id=id.to_string() /> }.into_any()
    };
    view! {
        {move || customer.read(lede)}
        {actions_of(customer, |customer| customer.id, acts)}
        <RecordDetails loaded=customer show=details />
        {actions_of(customer, |customer| customer.id, notes)}
        {move || opened.get().filter(|customer| customer.deleted_at.is_none()).map(|customer| view! { <UpdateCustomerForm customer=customer saved=saved /> })}
    }
}

fn lede(customer: &Customer) -> AnyView {
    let name = customer.name.clone().or_else(|| customer.email.clone());
    let deleted = customer.deleted_at.map(|_| status_badge("Deleted", None));
    view! { <div class="lede"><strong>{name.unwrap_or_else(|| text::guest().to_owned())}</strong>{deleted}</div> }
        .into_any()
}

fn details(customer: &Customer) -> AnyView {
    let id = customer.id.to_string();
    let kept = |name| stored_text(&customer.properties, name);
    let facts = Facts::default()
        .id(text::customer(), id.clone())
        .text(text::reference(), customer.reference.clone())
        .id(text::email(), customer.email.clone())
        .text(text::phone(), customer.phone.clone())
        .id(text::wallet(), customer.wallet_address.clone())
        .text(text::discord(), kept("discord"))
        .text(text::twitter(), kept("twitter"))
        .time(text::created(), customer.created_at)
        .time(text::deleted(), customer.deleted_at);
    view! {
        {facts.view()}
        {own_data(&customer.metadata, &[])}
        {link_row(vec![
            (format!("/payments?customer_id={id}"), Icon::Payments, text::payments()),
            (format!("/subscriptions?customer_id={id}"), Icon::Turning, text::subscriptions()),
            (format!("/invoices?customer_id={id}"), Icon::Invoice, text::invoices()),
        ])}
    }
    .into_any()
}
