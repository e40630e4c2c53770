//! Finds records by id, by an external identifier (a reference, an address or a transaction hash), or by name.

mod find_records;

pub use find_records::{FindRecords, FindRecordsQuery};

use crate::chain::Chain;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{AccountId, Amount, Currency};

open_enum! {
    /// Type of a found record.
    FoundKind {
        Account, Customer, Event, ExternalAccount, Invoice, Movement, Order, Paylink, Payment, Plan, Quote, Subscription
    }
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
        /// Its amount or price; of an account its booked balance in US dollars.
        amount?: Amount,
        /// Currency of the amount.
        currency?: Currency,
        /// Its status, as the record has it.
        status?: String,
        /// Chain of an account: those of a virtual account may have the same name.
        chain?: Chain,
        /// Account of a movement.
        account_id?: AccountId,
    }
}
