//! Customers: created by payments, counted when they pay, updated by the merchant.

mod update_customer;

pub(crate) use update_customer::update_customer;

use settlekit_core::customer::{Customer, CustomerItem, GetCustomer, ListCustomers};
use settlekit_core::event::EventAction;
use settlekit_core::page::Page;
use settlekit_core::value::{CustomerId, OrganisationId};

use crate::money::prices;
use crate::resources::event;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// Creates a customer for an anonymous payer. Their details are unverified, so they never match an existing customer: only the
/// merchant assigns payments to one, by `customer_id` or an invoice.
pub(crate) fn new_guest(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    name: Option<String>,
    email: Option<String>,
) -> Result<Customer, StoreError> {
    let customer = Customer {
        name,
        email,
        ..blank(unit, organisation)
    };
    insert(unit, customer)
}

/// The customer of a wallet whose holder has signed, who is known by its address.
pub(crate) fn with_wallet(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    address: &str,
) -> Result<Customer, StoreError> {
    if let Some(known) = store::customer::by_ident(unit.database, organisation, address)? {
        return Ok(known);
    }
    let customer = Customer {
        reference: Some(address.to_owned()),
        wallet_address: Some(address.to_owned()),
        ..blank(unit, organisation)
    };
    insert(unit, customer)
}

fn blank(unit: &mut Unit<'_>, organisation: OrganisationId) -> Customer {
    Customer {
        id: CustomerId::new(unit.now, unit.id_bytes()),
        reference: None,
        name: None,
        email: None,
        phone: None,
        wallet_address: None,
        org_id: organisation,
        metadata: None,
        properties: None,
        created_at: unit.now,
        updated_at: unit.now,
        deleted_at: None,
    }
}

fn insert(unit: &mut Unit<'_>, customer: Customer) -> Result<Customer, StoreError> {
    let customer = store::customer::insert(unit.database, customer)?;
    event::record(unit, customer.org_id, EventAction::Created, &customer)?;
    Ok(customer)
}

pub(crate) fn get_customer(unit: &mut Unit<'_>, call: Received<GetCustomer>) -> Outcome<Customer> {
    let (organisation, id) = (call.caller.organisation, call.path.customer_id);
    let found = store::customer::RECORDS.find(unit.database, organisation, id)?;
    found.ok_or_else(|| Refusal::not_found("customer"))
}

/// A customer of a request; refused with the field `customer_id` if unknown.
pub(crate) fn named(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: CustomerId,
) -> Outcome<Customer> {
    let found = store::customer::RECORDS.find(unit.database, organisation, id)?;
    found.ok_or_else(|| Refusal::reference_unknown("customer_id", "is not a known customer"))
}

pub(crate) fn list_customers(
    unit: &mut Unit<'_>,
    call: Received<ListCustomers>,
) -> Outcome<Page<CustomerItem>> {
    let mut page = store::customer::list(unit.database, call.caller.organisation, &call.query)?;
    // Without prices the sums would be wrong zeros.
    if !prices::is_connected(unit)? {
        page.items.iter_mut().for_each(|item| item.spent_usd = None);
    }
    Ok(page)
}
