//! Search for a record by id, reference, address, hash or name.

mod describe;
mod find_records;

pub(crate) use find_records::find_records;
