//! Names of customers, and the picker of one.

use leptos::prelude::*;
use settlekit_core::customer::{
    Customer, CustomerItem, CustomerPath, GetCustomer, ListCustomers, ListCustomersQuery,
};
use settlekit_core::page::{Limit, ListQuery};
use settlekit_core::value::{CustomerId, Param};

use crate::api;
use crate::list::{Choice, Found, OFFERED, PickerSource};
use crate::shell::load;
use crate::text;
use crate::ui::shortened;

/// Name of the filter in the URL.
pub(crate) const CUSTOMER: &str = "customer_id";

/// Finds customers by name, e-mail address or reference.
pub(crate) const CUSTOMERS: PickerSource = PickerSource {
    hint: text::search_customers,
    none: text::nobody_found,
    search: search_customers,
    find: find_customer,
};

fn search_customers(asked: Signal<Option<String>>) -> Found {
    let found = load::<ListCustomers>(move || {
        let search = asked.get()?;
        Some(api::with_query(ListCustomersQuery {
            list: ListQuery {
                limit: Limit::new(OFFERED),
                ..ListQuery::default()
            },
            search: (!search.is_empty()).then_some(search),
            visit_type: None,
        }))
    });
    let choice = |item: &CustomerItem| {
        let email = item.email.clone();
        let name = item.name.clone().or_else(|| email.clone());
        Choice {
            id: item.id.to_string(),
            name: name.unwrap_or_else(|| item.id.to_string()),
            more: email.filter(|_| item.name.is_some()),
        }
    };
    Found::of(found, move |page| page.items.iter().map(choice).collect())
}

fn find_customer(id: Signal<Option<String>>) -> Found {
    let record = load::<GetCustomer>(move || {
        let customer_id = CustomerId::from_text(&id.get()?).ok()?;
        Some(api::at(CustomerPath { customer_id }))
    });
    Found::of(record, |customer| {
        let name = customer.name.clone().or_else(|| customer.email.clone());
        vec![Choice {
            id: customer.id.to_string(),
            name: name.unwrap_or_else(|| customer.id.to_string()),
            more: None,
        }]
    })
}

/// Name of a customer, else the e-mail address, else the id.
pub(crate) fn customer_name(customer: Option<&Customer>, id: CustomerId) -> String {
    customer
        .and_then(|customer| customer.name.clone().or_else(|| customer.email.clone()))
        .unwrap_or_else(|| shortened(&id.to_string()))
}
