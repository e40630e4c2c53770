//! Records by reference, address or transaction hash, whole or by its beginning.

use settlekit_core::find::FoundKind;
use settlekit_core::value::OrganisationId;

use super::columns::get;
use super::sql::{Database, Row, StoreError, Value};

/// The kind and the id of a found record.
pub(crate) type FoundKey = (FoundKind, String);

/// Fewest characters of the beginning of a hash or an address: `0x` and six digits.
const PREFIX_CHARS_MIN: usize = 8;

/// Most index entries with a beginning to read per chain, those of other organisations included.
const READ_MAX: usize = 100;

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
) -> Result<Vec<FoundKey>, StoreError> {
    const FIND: &str = "SELECT kind, id FROM search_index WHERE org_id = ?1 AND text = ?2 ORDER BY kind, id LIMIT 20";
    let rows = database.query(FIND, &[organisation.into(), text.into()])?;
    let read = |row: &Row| Ok((row.text(0)?.into(), get(row, 1)?));
    rows.iter().map(read).collect()
}

/// The payment of an address, else its account. Addresses are stored in lower case.
pub(crate) fn by_address(
    database: &mut dyn Database,
    organisation: OrganisationId,
    address: &str,
) -> Result<Vec<FoundKey>, StoreError> {
    // The index begins with the chain; there are few chains.
    const FIND: &str = "SELECT payment_id, account_id FROM addresses \
         WHERE chain_id IN (SELECT id FROM chains) AND address = ?2 AND org_id = ?1 ORDER BY chain_id LIMIT 20";
    let address = address.to_ascii_lowercase();
    let rows = database.query(FIND, &[organisation.into(), (&address).into()])?;
    let read = |row: &Row| of_payment_or(row, FoundKind::Account);
    rows.iter().map(read).collect()
}

/// The payments of a transaction, else its movement. Hex hashes are stored in lower case.
pub(crate) fn by_hash(
    database: &mut dyn Database,
    organisation: OrganisationId,
    hash: &str,
) -> Result<Vec<FoundKey>, StoreError> {
    const FIND: &str = "SELECT payment_id, movement_id FROM chain_transactions \
         WHERE chain_id IN (SELECT id FROM chains) AND hash = ?2 AND org_id = ?1 ORDER BY id LIMIT 20";
    let hash = stored_hash(hash);
    let rows = database.query(FIND, &[organisation.into(), (&hash).into()])?;
    let read = |row: &Row| of_payment_or(row, FoundKind::Movement);
    rows.iter().map(read).collect()
}

/// The payment of a row, else the record with the number in the second column.
fn of_payment_or(row: &Row, other: FoundKind) -> Result<FoundKey, StoreError> {
    Ok(match row.maybe_text(0)? {
        Some(payment) => (FoundKind::Payment, payment.to_owned()),
        None => (other, row.int(1)?.to_string()),
    })
}

/// A hash as it is stored.
fn stored_hash(hash: &str) -> String {
    match hash.starts_with("0x") {
        true => hash.to_ascii_lowercase(),
        false => hash.to_owned(),
    }
}

/// The latest records whose hash begins with a text.
pub(crate) fn by_hash_prefix(
    database: &mut dyn Database,
    organisation: OrganisationId,
    text: &str,
    limit: usize,
) -> Result<Vec<FoundKey>, StoreError> {
    let index = ("chain_transactions", "hash", "movement_id");
    let rows = beginning(database, organisation, index, &stored_hash(text), limit)?;
    let read = |row: &Row| of_payment_or(row, FoundKind::Movement);
    rows.iter().map(read).collect()
}

/// The latest records of addresses that begin with a text.
pub(crate) fn by_address_prefix(
    database: &mut dyn Database,
    organisation: OrganisationId,
    text: &str,
    limit: usize,
) -> Result<Vec<FoundKey>, StoreError> {
    let index = ("addresses", "address", "account_id");
    let text = text.to_ascii_lowercase();
    let rows = beginning(database, organisation, index, &text, limit)?;
    let read = |row: &Row| of_payment_or(row, FoundKind::Account);
    rows.iter().map(read).collect()
}

/// Payment and number of the rows whose column begins with a text, largest first. The index of table and column begins with the chain and has
/// the rows of all organisations: they are few, as hashes and addresses are random.
fn beginning(
    database: &mut dyn Database,
    organisation: OrganisationId,
    (table, column, number): (&str, &str, &str),
    text: &str,
    limit: usize,
) -> Result<Vec<Row>, StoreError> {
    const CHAINS: &str = "SELECT id FROM chains ORDER BY id";
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_word || text.len() < PREFIX_CHARS_MIN {
        return Ok(Vec::new());
    }
    // After all letters and digits.
    let end = format!("{text}~");
    let mut values: Vec<Value<'_>> = vec![organisation.into(), text.into(), (&end).into()];
    let mut parts = Vec::new();
    for row in database.query(CHAINS, &[])? {
        values.push(row.int(0)?.into());
        let chain = values.len();
        parts.push(format!(
            "SELECT * FROM (SELECT org_id, payment_id, {number} AS found_number FROM {table} \
             WHERE chain_id = ?{chain} AND {column} >= ?2 AND {column} < ?3 ORDER BY {column} LIMIT {READ_MAX}) on_{chain}"
        ));
    }
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let find = format!(
        "SELECT payment_id, found_number FROM ({}) found WHERE org_id = ?1 ORDER BY found_number DESC, payment_id DESC LIMIT {limit}",
        parts.join(" UNION ALL ")
    );
    database.query(&find, &values)
}
