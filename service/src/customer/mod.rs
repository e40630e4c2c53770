//! Customers: found or made when they pay, counted when they have paid, changed by the merchant.

mod update_customer;

pub(crate) use update_customer::update_customer;

use settlekit_core::customer::{Customer, CustomerItem, GetCustomer, ListCustomers};
use settlekit_core::event::{EventAction, EventType};
use settlekit_core::page::Page;
use settlekit_core::value::{CustomerId, OrganisationId};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::refusal::{Outcome, Refusal};
use crate::router::Received;
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::{event, store};

/// What is looked through by a search: in lower case and without accents, so that `Zoe` finds `Zoë`.
fn folded(text: &str) -> String {
    text.nfkd()
        .filter(|char| !is_combining_mark(*char))
        .flat_map(char::to_lowercase)
        .collect()
}

/// What a search of customers looks through for one of them.
fn searched(customer: &Customer) -> String {
    let texts = [
        customer.name.as_deref(),
        customer.email.as_deref(),
        customer.reference.as_deref(),
    ];
    let texts: Vec<String> = texts.into_iter().flatten().map(folded).collect();
    texts.join("\n")
}

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
    let search = searched(&customer);
    let customer = store::customer::insert(unit.database, customer, &search)?;
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
    let search = call.query.search.as_deref().map(folded);
    Ok(store::customer::list(
        unit.database,
        call.caller.organisation,
        &call.query,
        search.as_deref(),
    )?)
}
