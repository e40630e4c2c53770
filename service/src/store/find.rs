//! Records by reference, address or transaction hash.

use settlekit_core::find::{Found, FoundKind};
use settlekit_core::value::{AccountId, OrganisationId};

use super::columns::get;
use super::sql::{Database, Row, StoreError};

fn found(kind: FoundKind, id: String, account: Option<i64>) -> Found {
    Found {
        kind,
        id,
        title: None,
        account_id: account.and_then(AccountId::new),
    }
}

/// Adds a text of a record to the search index.
pub(crate) fn index_text(
    database: &mut dyn Database,
    organisation: OrganisationId,
    (kind, id): (FoundKind, impl ToString),
    text: Option<&str>,
) -> Result<(), StoreError> {
    const NOTE: &str = "INSERT INTO search_index (org_id, text, kind, id) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
    if let Some(text) = text {
        let id = id.to_string();
        let values = [
            organisation.into(),
            text.into(),
            kind.as_str().into(),
            (&id).into(),
        ];
        database.execute(NOTE, &values)?;
    }
    Ok(())
}

/// The records with a text in the search index.
pub(crate) fn by_note(
    database: &mut dyn Database,
    organisation: OrganisationId,
    text: &str,
) -> Result<Vec<Found>, StoreError> {
    const FIND: &str = "SELECT kind, id FROM search_index WHERE org_id = ?1 AND text = ?2 ORDER BY kind, id LIMIT 20";
    let rows = database.query(FIND, &[organisation.into(), text.into()])?;
    rows.iter()
        .map(|row| Ok(found(row.text(0)?.into(), get(row, 1)?, None)))
        .collect()
}

/// The payment of an address, else its account. Addresses are stored in lower case.
pub(crate) fn by_address(
    database: &mut dyn Database,
    organisation: OrganisationId,
    address: &str,
) -> Result<Vec<Found>, StoreError> {
    // The index begins with the chain; there are few chains.
    const FIND: &str = "SELECT payment_id, account_id FROM addresses \
         WHERE chain_id IN (SELECT id FROM chains) AND address = ?2 AND org_id = ?1 ORDER BY chain_id LIMIT 20";
    let address = address.to_ascii_lowercase();
    let rows = database.query(FIND, &[organisation.into(), (&address).into()])?;
    let read = |row: &Row| {
        Ok(match row.maybe_text(0)? {
            Some(payment) => found(FoundKind::Payment, payment.to_owned(), None),
            None => found(FoundKind::Account, row.int(1)?.to_string(), None),
        })
    };
    rows.iter().map(read).collect()
}

/// The payments of a transaction, else its movement. Hex hashes are stored in lower case.
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
    let rows = database.query(FIND, &[organisation.into(), (&hash).into()])?;
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
