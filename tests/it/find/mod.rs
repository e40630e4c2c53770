//! The search over all records.

mod find_records;
