//! Names of customers, and the customer filter of lists.

use leptos::prelude::*;
use settlekit_core::customer::{Customer, CustomerPath, GetCustomer};
use settlekit_core::value::CustomerId;

use crate::api;
use crate::list::FilterLabel;
use crate::shell::{Location, load};
use crate::ui::shortened;

/// Name of the filter in the URL.
pub(crate) const CUSTOMER: &str = "customer_id";

/// Label of the customer filter.
pub(crate) fn customer_label(location: Location) -> FilterLabel {
    let customer = load::<GetCustomer>(move || {
        let customer_id = location.param::<CustomerId>(CUSTOMER)?;
        Some(api::at(CustomerPath { customer_id }))
    });
    FilterLabel::new(move |name| {
        let id = location.param::<CustomerId>(CUSTOMER);
        customer.state.with(|customer| {
            let customer = customer.ready();
            let customer = customer.filter(|one| name == CUSTOMER && Some(one.id) == id)?;
            customer.name.clone().or_else(|| customer.email.clone())
        })
    })
}

/// Name of a customer, else the e-mail address, else the id.
pub(crate) fn customer_name(customer: Option<&Customer>, id: CustomerId) -> String {
    customer
        .and_then(|customer| customer.name.clone().or_else(|| customer.email.clone()))
        .unwrap_or_else(|| shortened(&id.to_string()))
}
