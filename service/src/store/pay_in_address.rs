//! Permanent addresses by account; a virtual account also lists those of its chain accounts.

use std::marker::PhantomData;

use settlekit_core::account::PayInAddress;
use settlekit_core::value::{AccountId, OrganisationId};

use super::list::{Listing, record};
use super::sql::{Database, StoreError};
use super::{sequence, write_record};

pub(crate) const LISTING: Listing<PayInAddress, i64, AccountId> = Listing {
    table: "pay_in_addresses",
    owner: "account_id",
    kind: "pay-in addresses",
    select: "SELECT l.record, l.updated_at FROM pay_in_addresses l",
    read: record,
    ids: PhantomData,
};

/// Adds an address to the lists of its account and of the parent.
pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    made: PayInAddress,
    lists: &[AccountId],
) -> Result<PayInAddress, StoreError> {
    const INSERT: &str = "INSERT INTO pay_in_addresses (account_id, org_id, seq, record, created_at, updated_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?5)";
    let mut numbers = Vec::with_capacity(lists.len());
    let mut at = made.created_at;
    // Lock the topmost list first, as for movements.
    for account in lists.iter().rev() {
        let (seq, moment) = sequence::next(database, (*account).into(), LISTING.kind, at)?;
        at = at.max(moment);
        numbers.push((*account, seq));
    }
    let made = PayInAddress {
        created_at: at,
        ..made
    };
    let record = write_record(&made)?;
    for (account, seq) in numbers {
        database.execute(
            INSERT,
            &[
                account.into(),
                organisation.into(),
                seq.into(),
                (&record).into(),
                at.into(),
            ],
        )?;
    }
    Ok(made)
}
