//! Permanent addresses by account; a virtual account also lists those of its chain accounts.

use settlekit_core::account::PayInAddress;
use settlekit_core::value::{AccountId, OrganisationId};

use super::listing::{Listing, listing, record};
use super::sql::{Database, StoreError};
use super::statement::insert;
use super::write_record;

pub(crate) const LISTING: Listing<PayInAddress, i64, AccountId> = listing!(
    "pay_in_addresses" by "account_id" in "pay-in addresses",
    "l.record, l.updated_at",
    "",
    record
);

/// Adds an address to the lists of its account and of the parent.
pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    made: PayInAddress,
    lists: &[AccountId],
) -> Result<PayInAddress, StoreError> {
    let mut numbers = Vec::with_capacity(lists.len());
    let mut at = made.created_at;
    // Lock the topmost list first, as for movements.
    for account in lists.iter().rev() {
        let (seq, created_at) = LISTING.next(database, *account, at)?;
        at = at.max(created_at);
        numbers.push((*account, seq));
    }
    let made = PayInAddress {
        created_at: at,
        ..made
    };
    let record = write_record(&made)?;
    for (account, seq) in numbers {
        insert!(database, "pay_in_addresses" {
            account_id: account,
            org_id: organisation,
            seq: seq,
            record: &record,
            created_at: at,
            updated_at: at,
        })?;
    }
    Ok(made)
}
