//! Rows by a list of addresses.

use alloy_primitives::Address;

use super::hex;
use super::sql::{Database, Row, StoreError, Value};

/// A query of rows whose `address` is one of a list.
pub(super) struct ByAddresses<'a> {
    pub(super) columns: &'a str,
    pub(super) table: &'a str,
    /// Further conditions, each after `AND`.
    pub(super) and: &'a str,
    /// The parameters of these.
    pub(super) values: &'a [Value<'a>],
}

/// An address that is listed twice may give its row twice.
pub(super) fn by_addresses(
    database: &mut dyn Database,
    query: &ByAddresses<'_>,
    addresses: &[Address],
) -> Result<Vec<Row>, StoreError> {
    if addresses.is_empty() {
        return Ok(Vec::new());
    }
    let addresses: Vec<String> = addresses.iter().map(hex).collect();
    let list = super::write_record(&addresses)?;
    let values = [query.values, &[list.as_str().into()]].concat();
    let of_addresses = database.dialect().of_addresses(query.table, values.len());
    let ByAddresses { columns, and, .. } = query;
    database.query(&format!("SELECT {columns} {of_addresses} {and}"), &values)
}
