//! Finds an organisation's records by id, reference, address or hash.

use settlekit_core::find::{FindRecords, Found, FoundKind};
use settlekit_core::value::{
    AccountId, CustomerId, InvoiceId, MovementId, OrderId, OrganisationId, Param, PaymentId,
    PlanId, SubscriptionId,
};

use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Unit};

const FOUND_MAX: usize = 20;

pub(crate) fn find_records(
    unit: &mut Unit<'_>,
    call: Received<FindRecords>,
) -> Outcome<Vec<Found>> {
    let organisation = call.caller.organisation;
    let text = call.query.text.trim();
    let mut found = by_id(unit, organisation, text)?;
    found.extend(store::find::by_hash(unit.database, organisation, text)?);
    found.extend(store::find::by_address(unit.database, organisation, text)?);
    found.extend(store::find::by_note(unit.database, organisation, text)?);
    if let Ok(reference) = Param::from_text(text) {
        for account in store::account::by_reference(unit.database, organisation, &reference)? {
            found.push(Found {
                kind: FoundKind::Account,
                id: account.id.to_string(),
                title: account.name.or(Some(reference.to_string())),
                account_id: None,
            });
        }
    }
    if let Some(customer) = store::customer::by_ident(unit.database, organisation, text)? {
        found.push(Found {
            kind: FoundKind::Customer,
            id: customer.id.to_string(),
            title: customer.name.or(customer.email).or(customer.reference),
            account_id: None,
        });
    }
    // A payment can match by its address and its transaction.
    let mut distinct: Vec<Found> = Vec::new();
    for one in found {
        if !distinct.contains(&one) {
            distinct.push(one);
        }
    }
    distinct.truncate(FOUND_MAX);
    Ok(distinct)
}

/// The records with this id. A number may be the id of an account and of a movement.
fn by_id(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    text: &str,
) -> Result<Vec<Found>, StoreError> {
    let mut found = Vec::new();
    let mut add = |kind: FoundKind, id: String, title: Option<String>| {
        found.push(Found {
            kind,
            id,
            title,
            account_id: None,
        });
    };
    if let Ok(id) = text.parse::<AccountId>() {
        let account = store::account::LISTING.find(unit.database, organisation, id)?;
        if let Some(account) = account {
            let reference = account.reference.map(|reference| reference.to_string());
            add(
                FoundKind::Account,
                id.to_string(),
                account.name.or(reference),
            );
        }
    }
    if let Ok(id) = text.parse::<MovementId>() {
        let movement = store::movement::ALL.find(unit.database, organisation, id)?;
        if movement.is_some() {
            add(FoundKind::Movement, id.to_string(), None);
        }
    }
    if let Ok(id) = text.parse::<PaymentId>() {
        let payment = store::payment::LISTING.find(unit.database, organisation, id)?;
        if let Some(payment) = payment {
            add(FoundKind::Payment, id.to_string(), payment.reference);
        }
    }
    if let Ok(id) = text.parse::<CustomerId>() {
        let customer = store::customer::RECORDS.find(unit.database, organisation, id)?;
        if let Some(customer) = customer {
            let title = customer.name.or(customer.email).or(customer.reference);
            add(FoundKind::Customer, id.to_string(), title);
        }
    }
    if let Ok(id) = text.parse::<InvoiceId>() {
        let invoice = store::invoice::LISTING.find(unit.database, organisation, id)?;
        if invoice.is_some() {
            add(FoundKind::Invoice, id.to_string(), None);
        }
    }
    if let Ok(id) = text.parse::<PlanId>() {
        let plan = store::plan::LISTING.find(unit.database, organisation, id)?;
        if let Some(plan) = plan {
            add(FoundKind::Plan, id.to_string(), Some(plan.name));
        }
    }
    if let Ok(id) = text.parse::<SubscriptionId>() {
        let subscription = store::subscription::LISTING.find(unit.database, organisation, id)?;
        if let Some(subscription) = subscription {
            add(
                FoundKind::Subscription,
                id.to_string(),
                subscription.reference,
            );
        }
    }
    if let Ok(id) = text.parse::<OrderId>() {
        let order = store::order::LISTING.find(unit.database, organisation, id)?;
        if let Some(order) = order {
            add(FoundKind::Order, id.to_string(), order.reference);
        }
    }
    Ok(found)
}
