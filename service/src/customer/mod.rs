//! Customers: found or made when they pay, counted when they have paid, changed by the merchant.

mod update_customer;

pub(crate) use update_customer::update_customer;

use settlekit_core::customer::{Customer, CustomerItem, GetCustomer, ListCustomers};
use settlekit_core::event::{EventAction, EventType};
use settlekit_core::page::Page;
use settlekit_core::value::{CustomerId, OrganisationId};

use crate::refusal::{Outcome, Refusal};
use crate::router::Received;
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::{event, store};

/// Who a payer says they are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Payer {
    pub(crate) ident: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) email: Option<String>,
}

/// The customer that a payer is: the one with the same reference, or, of those who give none, the one with the same e-mail
/// address, whatever the merchant has named them since; or a new one.
pub(crate) fn recognise(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    payer: Payer,
) -> Result<Customer, StoreError> {
    let email = payer.email.as_deref().map(str::to_lowercase);
    if payer.ident.is_none()
        && let Some(email) = &email
        && let Some(known) = store::customer::by_email(unit.database, organisation, email)?
    {
        return Ok(known);
    }
    let ident = payer.ident.or(email);
    if let Some(ident) = &ident
        && let Some(known) = store::customer::by_ident(unit.database, organisation, ident)?
    {
        return Ok(known);
    }
    let customer = Customer {
        id: CustomerId::new(unit.now, unit.id_bytes()),
        reference: ident,
        name: payer.name,
        email: payer.email,
        phone: None,
        wallet_address: None,
        org_id: organisation,
        metadata: None,
        properties: None,
        created_at: unit.now,
        updated_at: unit.now,
        deleted_at: None,
    };
    let customer = store::customer::insert(unit.database, customer)?;
    event::record(
        unit,
        organisation,
        EventType::Customer,
        EventAction::Created,
        None,
        &customer,
    )?;
    Ok(customer)
}

pub(crate) fn get_customer(unit: &mut Unit<'_>, call: Received<GetCustomer>) -> Outcome<Customer> {
    store::customer::find(
        unit.database,
        call.caller.organisation,
        call.path.customer_id,
    )?
    .ok_or_else(|| Refusal::not_found("customer"))
}

pub(crate) fn list_customers(
    unit: &mut Unit<'_>,
    call: Received<ListCustomers>,
) -> Outcome<Page<CustomerItem>> {
    Ok(store::customer::list(
        unit.database,
        call.caller.organisation,
        &call.query,
    )?)
}
