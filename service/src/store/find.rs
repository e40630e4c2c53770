//! Where an address or a transaction's hash leads.

use settlekit_core::find::{Found, FoundKind};
use settlekit_core::value::{AccountId, OrganisationId};

use super::sql::{Database, Row, StoreError};

fn found(kind: FoundKind, id: String, account: Option<i64>) -> Found {
    Found {
        kind,
        id,
        title: None,
        account_id: account.and_then(AccountId::new),
    }
}

/// The payment of an address, or the account when it belongs to no payment. Addresses are in lower case.
pub(crate) fn by_address(
    database: &mut dyn Database,
    organisation: OrganisationId,
    address: &str,
) -> Result<Vec<Found>, StoreError> {
    // By chain, since the index begins with it: there are few chains and many addresses.
    const FIND: &str = "SELECT payment_id, account_id FROM addresses \
         WHERE chain_id IN (SELECT id FROM chains) AND address = ?2 AND org_id = ?1 ORDER BY chain_id LIMIT 20";
    let (organisation, address) = (organisation.to_string(), address.to_ascii_lowercase());
    let rows = database.query(FIND, &[(&organisation).into(), (&address).into()])?;
    let read = |row: &Row| {
        Ok(match row.maybe_text(0)? {
            Some(payment) => found(FoundKind::Payment, payment.to_owned(), None),
            None => found(FoundKind::Account, row.int(1)?.to_string(), None),
        })
    };
    rows.iter().map(read).collect()
}

/// The payments of a transaction, and the movement where there is no payment. Hashes are in lower case where they are hex.
pub(crate) fn by_hash(
    database: &mut dyn Database,
    organisation: OrganisationId,
    hash: &str,
) -> Result<Vec<Found>, StoreError> {
    const FIND: &str = "SELECT payment_id, movement_id, account_id FROM chain_transactions \
         WHERE chain_id IN (SELECT id FROM chains) AND hash = ?2 AND org_id = ?1 ORDER BY id LIMIT 20";
    let hash = if hash.starts_with("0x") {
        hash.to_ascii_lowercase()
    } else {
        hash.to_owned()
    };
    let organisation = organisation.to_string();
    let rows = database.query(FIND, &[(&organisation).into(), (&hash).into()])?;
    let read = |row: &Row| {
        Ok(match row.maybe_text(0)? {
            Some(payment) => found(FoundKind::Payment, payment.to_owned(), None),
            None => found(
                FoundKind::Movement,
                row.int(1)?.to_string(),
                Some(row.int(2)?),
            ),
        })
    };
    rows.iter().map(read).collect()
}
