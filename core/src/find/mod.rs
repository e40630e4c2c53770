//! Finds records by id, or by an external identifier: a reference, an address or a transaction hash.

mod find_records;

pub use find_records::{FindRecords, FindRecordsQuery};

use crate::value::AccountId;
use crate::value::open::open_enum;
use crate::value::record::record;

open_enum! {
    /// Type of a found record.
    FoundKind { Account, Customer, Invoice, Movement, Order, Payment, Plan, Subscription }
}

record! {
    /// A found record.
    Found {
        /// Record type.
        kind: FoundKind,
        /// Record id.
        id: String,
        /// Name or reference, if any.
        title?: String,
        /// Account of a movement.
        account_id?: AccountId,
    }
}
