//! Customers with their payments and details.

use leptos::prelude::*;
use settlekit_core::customer::{
    Customer, CustomerItem, CustomerPath, GetCustomer, ListCustomers, ListCustomersQuery, VisitType,
};
use settlekit_core::value::CustomerId;

use crate::api;
use crate::form::update_customer::UpdateCustomerForm;
use crate::list::export::Exporter;
use crate::list::filter::{ChoiceFilter, DateFilter, Filters, TextFilter};
use crate::list::record_list::{
    EmptyState, RecordDetails, RecordDrawer, RecordList, link_row, link_to, opened_record,
};
use crate::list::table::{Column, TableSpec};
use crate::shell::live::{Live, LiveBadge};
use crate::shell::load::load;
use crate::shell::navigation::{Location, name};
use crate::text;
use crate::ui::amount::count_text;
use crate::ui::copy::WholeId;
use crate::ui::facts::Facts;
use crate::ui::icon::Icon;
use crate::ui::own_data::own_data;
use crate::ui::page_head::PageHead;
use crate::ui::status::status_badge;
use crate::ui::timestamp::{optional_timestamp, timestamp};

const SEARCH: &str = "search";
const VISITS: &str = "visit_type";
const FILTERS: &[&str] = &[SEARCH, VISITS, name::SINCE, name::UNTIL, name::SORT];

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
            Column::new(text::payments_count(), "end named", |item| {
                count_text(item.payments_count).into_any()
            }),
            Column::new(text::email(), "quiet skip-narrow", |item| {
                item.email.clone().into_any()
            }),
            Column::new(text::reference(), "quiet skip-narrow", |item| {
                item.customer_ident
                    .clone()
                    .filter(|ident| item.email.as_ref() != Some(ident))
                    .into_any()
            }),
            Column::new(text::last_payment(), "fit second", |item| {
                optional_timestamp(item.last_payment_date)
            }),
        ],
        id: |item| item.id.to_string(),
    }
}

#[component]
pub(crate) fn Customers() -> impl IntoView {
    let location = Location::from_context();
    let ask = move |list| {
        Some(api::with_query::<ListCustomers>(ListCustomersQuery {
            list,
            search: location.get(SEARCH),
            visit_type: location.param(VISITS),
        }))
    };
    let customers = load(move || ask(location.list()));
    view! {
        <div class="page">
            <PageHead title=text::customers() lead=text::customers_lead()><LiveBadge /></PageHead>
            <Filters names=FILTERS>
                <TextFilter label=text::search() name=SEARCH hint=text::search_customers() plain=true />
                <ChoiceFilter label=text::visits() name=VISITS words=VisitType::KNOWN />
                <DateFilter />
            </Filters>
            <RecordList
                spec=table_spec() page=customers.state busy=customers.busy retry=customers.retry() filters=FILTERS export=(Exporter::of(ask), "customers")
                empty=EmptyState { picture: Icon::People, title: text::no_customers(), text: text::no_customers_lesson(), step: ("/paylinks/new", text::create_paylink()) }
            />
            <RecordDrawer title=text::customer()><OneCustomer /></RecordDrawer>
        </div>
    }
}

#[component]
fn OneCustomer() -> impl IntoView {
    let (location, live) = (Location::from_context(), Live::from_context());
    let customer = load::<GetCustomer>(move || {
        let customer_id = location.param::<CustomerId>(name::OPEN)?;
        Some(api::at(CustomerPath { customer_id }))
    });
    let opened = opened_record(customer, |customer| customer.id.to_string());
    let saved = Callback::new(move |record: Customer| {
        customer.put(record);
        live.refresh();
    });
    view! {
        <RecordDetails loaded=customer show=details />
        {move || opened.get().filter(|customer| customer.deleted_at.is_none()).map(|customer| view! { <UpdateCustomerForm customer=customer saved=saved /> })}
    }
}

fn details(customer: &Customer) -> AnyView {
    let id = customer.id.to_string();
    let kept = |name: &str| {
        let value = customer.properties.as_ref()?.get(name)?;
        value.as_str().map(str::to_owned)
    };
    let plain = |value: String| value;
    let name = customer.name.clone().or_else(|| customer.email.clone());
    let facts = Facts::default()
        .with(
            text::customer_id(),
            view! { <WholeId id=id.clone() what=text::customer() /> },
        )
        .maybe(text::reference(), customer.reference.clone(), plain)
        .maybe(
            text::email(),
            customer.email.clone(),
            |email| view! { <WholeId id=email what=text::email() /> },
        )
        .maybe(text::phone(), customer.phone.clone(), plain)
        .maybe(
            text::wallet(),
            customer.wallet_address.clone(),
            |id| view! { <WholeId id=id what=text::wallet() /> },
        )
        .maybe(text::discord(), kept("discord"), plain)
        .maybe(text::twitter(), kept("twitter"), plain)
        .with(text::created(), timestamp(customer.created_at))
        .maybe(text::deleted(), customer.deleted_at, timestamp);
    view! {
        <div class="lede"><strong>{name.unwrap_or_else(|| text::guest().to_owned())}</strong></div>
        {facts.view()}
        {own_data(&customer.metadata, &[])}
        {link_row(vec![
            (format!("/payments?customer_id={id}"), Icon::Payments, text::payments_of_customer()),
            (format!("/subscriptions?customer_id={id}"), Icon::Turning, text::subscriptions_of_customer()),
            (format!("/invoices?customer_id={id}"), Icon::Invoice, text::invoices_of_customer()),
        ])}
        <div data-scope="write">{link_to(format!("/subscriptions/new?customer_id={id}"), Icon::Plus, text::subscribe())}</div>
    }
    .into_any()
}
