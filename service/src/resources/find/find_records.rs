//! Finds an organisation's records by reference, address or hash.

use settlekit_core::find::{FindRecords, Found, FoundKind};
use settlekit_core::value::Param;

use crate::store;
use crate::unit::{Outcome, Received, Unit};

const FOUND_MAX: usize = 20;

pub(crate) fn find_records(
    unit: &mut Unit<'_>,
    call: Received<FindRecords>,
) -> Outcome<Vec<Found>> {
    let organisation = call.caller.organisation;
    let text = call.query.text.trim();
    let mut found = store::find::by_hash(unit.database, organisation, text)?;
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
