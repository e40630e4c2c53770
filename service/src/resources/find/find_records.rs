//! Finds an organisation's records by id, reference, address, hash or name.

use std::collections::BTreeSet;
use std::str::FromStr;

use settlekit_core::find::{FindRecords, Found, FoundKind};
use settlekit_core::value::{
    AccountId, CustomerId, EventId, InvoiceId, MovementId, OrderId, OrganisationId, Param,
    PaylinkId, PaymentId, PlanId, QuoteId, SubscriptionId,
};

use super::describe::describe;
use crate::store;
use crate::store::find::FoundKey;
use crate::store::id_prefix::IdPrefix;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Unit};

const FOUND_MAX: usize = 20;

/// Most records of a kind that are found by a part.
const BY_PART_MAX: usize = 5;

/// Fewest characters of a part of a name.
const NAME_CHARS_MIN: usize = 3;

pub(crate) fn find_records(
    unit: &mut Unit<'_>,
    call: Received<FindRecords>,
) -> Outcome<Vec<Found>> {
    let organisation = call.caller.organisation;
    let text = call.query.text.trim();
    let mut keys = by_id(text);
    keys.extend(store::find::by_hash(unit.database, organisation, text)?);
    keys.extend(store::find::by_address(unit.database, organisation, text)?);
    keys.extend(store::find::by_note(unit.database, organisation, text)?);
    if let Ok(reference) = Param::from_text(text) {
        for account in store::account::by_reference(unit.database, organisation, &reference)? {
            keys.push((FoundKind::Account, account.id.to_string()));
        }
    }
    if let Some(customer) = store::customer::by_ident(unit.database, organisation, text)? {
        keys.push((FoundKind::Customer, customer.id.to_string()));
    }
    keys.extend(by_id_prefix(
        unit,
        organisation,
        &text.to_ascii_lowercase(),
    )?);
    let limit = BY_PART_MAX;
    keys.extend(store::find::by_hash_prefix(
        unit.database,
        organisation,
        text,
        limit,
    )?);
    keys.extend(store::find::by_address_prefix(
        unit.database,
        organisation,
        text,
        limit,
    )?);
    if text.chars().count() >= NAME_CHARS_MIN {
        // Customers and paylinks have a search of their own.
        let limit = BY_PART_MAX as i64;
        keys.extend(store::named::list(
            unit.database,
            organisation,
            text,
            limit,
        )?);
    }

    // A payment can match by its address and its transaction.
    let mut seen: BTreeSet<FoundKey> = BTreeSet::new();
    let mut found = Vec::new();
    for key in keys {
        if found.len() == FOUND_MAX {
            break;
        }
        if seen.insert(key.clone()) {
            found.extend(describe(unit, organisation, key)?);
        }
    }
    Ok(found)
}

/// The records that a complete id may name. A number may be the id of an account and of a movement.
fn by_id(text: &str) -> Vec<FoundKey> {
    fn id<Id: FromStr + ToString>(text: &str) -> Option<String> {
        Some(text.parse::<Id>().ok()?.to_string())
    }
    let ids = [
        (FoundKind::Account, id::<AccountId>(text)),
        (FoundKind::Movement, id::<MovementId>(text)),
        (FoundKind::Payment, id::<PaymentId>(text)),
        (FoundKind::Customer, id::<CustomerId>(text)),
        (FoundKind::Invoice, id::<InvoiceId>(text)),
        (FoundKind::Plan, id::<PlanId>(text)),
        (FoundKind::Subscription, id::<SubscriptionId>(text)),
        (FoundKind::Order, id::<OrderId>(text)),
        (FoundKind::Paylink, id::<PaylinkId>(text)),
        (FoundKind::Quote, id::<QuoteId>(text)),
        (FoundKind::Event, id::<EventId>(text)),
    ];
    let ids = ids.into_iter();
    ids.filter_map(|(kind, id)| Some((kind, id?))).collect()
}

/// The records whose id begins with a text.
fn by_id_prefix(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    text: &str,
) -> Result<Vec<FoundKey>, StoreError> {
    let mut keys = Vec::new();
    macro_rules! of {
        ($($listing:expr, $id:ident => $kind:ident;)*) => {
            $(if let Some(prefix) = IdPrefix::of(text, $id::PREFIX) {
                let limit = BY_PART_MAX as i64;
                let ids = $listing.ids_with_prefix(unit.database, organisation, &prefix, limit)?;
                keys.extend(ids.into_iter().map(|id| (FoundKind::$kind, id)));
            })*
        };
    }
    of! {
        store::payment::LISTING, PaymentId => Payment;
        store::customer::RECORDS, CustomerId => Customer;
        store::invoice::LISTING, InvoiceId => Invoice;
        store::plan::LISTING, PlanId => Plan;
        store::subscription::LISTING, SubscriptionId => Subscription;
        store::order::LISTING, OrderId => Order;
        store::paylink::LISTING, PaylinkId => Paylink;
        store::quote::LISTING, QuoteId => Quote;
        store::event::LISTING, EventId => Event;
    }
    Ok(keys)
}
