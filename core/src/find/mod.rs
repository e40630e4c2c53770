//! Records found by what is written on them elsewhere: a reference, an address, a transaction's hash.

mod find_records;

pub use find_records::{FindRecords, FindRecordsQuery};

use crate::value::AccountId;
use crate::value::open::open_enum;
use crate::value::record::record;

open_enum! {
    /// What kind of record was found.
    FoundKind { Account, Customer, Invoice, Movement, Order, Payment, Plan, Subscription }
}

record! {
    /// A record that was found.
    Found {
        /// What kind it is.
        kind: FoundKind,
        /// Its id.
        id: String,
        /// For people, where it has a name or reference.
        title?: String,
        /// The account of a movement.
        account_id?: AccountId,
    }
}
