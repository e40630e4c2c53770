//! Updates a customer; absent fields stay unchanged.

use serde_json::Value;
use settlekit_core::customer::{Customer, UpdateCustomer, UpdateCustomerBody};
use settlekit_core::event::EventAction;
use settlekit_core::value::WalletAddress;

use crate::resources::event;
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn update_customer(
    unit: &mut Unit<'_>,
    call: Received<UpdateCustomer>,
) -> Outcome<Customer> {
    let organisation = call.caller.organisation;
    let before = store::customer::RECORDS
        .lock(unit.database, organisation, call.path.customer_id)?
        .filter(|customer| customer.deleted_at.is_none())
        .ok_or_else(|| Refusal::not_found("customer"))?;
    let UpdateCustomerBody {
        customer_ident,
        discord,
        email,
        name,
        number,
        twitter,
        wallet_address,
    } = call.body;
    let given = |text: Option<String>| text.filter(|text| !text.is_empty());
    let reference = given(customer_ident);
    if let Some(reference) = &reference
        && let Some(other) = store::customer::by_ident(unit.database, organisation, reference)?
        && other.id != before.id
    {
        return Err(Refusal::already_exists(
            "customer_ident",
            "already belongs to another customer",
        ));
    }
    let mut properties = before.properties.clone().unwrap_or_default();
    for (property, text) in [("discord", discord), ("twitter", twitter)] {
        if let Some(text) = given(text) {
            properties.insert(property.to_owned(), Value::String(text));
        }
    }
    // Stored in canonical form; decoding has validated it.
    let wallet = given(wallet_address)
        .and_then(|text| text.parse::<WalletAddress>().ok())
        .map(|address| address.to_string());
    let after = Customer {
        reference: reference.or(before.reference.clone()),
        name: given(name).or(before.name.clone()),
        email: given(email).or(before.email.clone()),
        phone: given(number).or(before.phone.clone()),
        wallet_address: wallet.or(before.wallet_address.clone()),
        properties: (!properties.is_empty()).then_some(properties),
        ..before.clone()
    };
    if after == before {
        return Ok(before);
    }
    let after = Customer {
        updated_at: unit.now,
        ..after
    };
    store::customer::update(unit.database, &after)?;
    event::record(unit, organisation, EventAction::Updated, &after)?;
    Ok(after)
}
