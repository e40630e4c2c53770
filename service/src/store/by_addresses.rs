//! Rows by a list of addresses.

use alloy_primitives::Address;

use super::hex;
use super::sql::{Database, Row, StoreError, Value};

/// The rows of a query whose `address` is one of some. The query ends before that condition; the addresses are its last parameter.
pub(super) fn by_addresses(
    database: &mut dyn Database,
    query: &str,
    values: &[Value<'_>],
    addresses: &[Address],
) -> Result<Vec<Row>, StoreError> {
    if addresses.is_empty() {
        return Ok(Vec::new());
    }
    let condition = database.dialect().address_is_in(values.len() + 1);
    let addresses: Vec<String> = addresses.iter().map(hex).collect();
    let list = super::write_record(&addresses)?;
    let values = [values, &[list.as_str().into()]].concat();
    database.query(&format!("{query} {condition}"), &values)
}
