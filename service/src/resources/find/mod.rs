//! Search for a record by reference, address or hash: exact matches in an index.

mod find_records;

pub(crate) use find_records::find_records;
