//! The merchant's view of a posting.

use crate::chain::Chain;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{AccountId, AccountReference, Amount, Currency, MovementId, Timestamp};

open_enum! {
    /// Relative to the account.
    Direction { In = "IN", Out = "OUT" }
}

open_enum! {
    /// What caused a movement.
    MovementType { Deposit, Withdraw, Transfer, Swap, NetworkFee, ServiceFee, Adjustment }
}

open_enum! {
    /// Where a movement stands.
    MovementStatus { Pending, Processing, Confirmed, Failed, Refunded, PartialRefunded }
}

record! {
    /// One entry of an account's ledger (contract, "Movement").
    Movement {
        /// Unique id.
        id: MovementId,
        /// The account it was booked against: the requested one or one of its sub-accounts.
        account_id: AccountId,
        /// That account's reference, when it has one.
        account_reference?: AccountReference,
        /// In `currency`.
        amount: Amount,
        /// The currency of `amount`.
        currency: Currency,
        /// Relative to the account.
        direction: Direction,
        /// What caused it.
        r#type: MovementType,
        /// Where it stands.
        status: MovementStatus,
        /// Charged on top of `amount`, when anything was.
        fee?: Amount,
        /// The currency of `fee`.
        fee_currency?: Currency,
        /// The causing object; absent for internal operations.
        entity_id?: String,
        /// For a movement on a chain.
        chain?: Chain,
        /// The counterparty's source address, inbound on a chain.
        from_address?: String,
        /// The counterparty's destination address, outbound on a chain.
        to_address?: String,
        /// Once broadcast.
        transaction_hash?: String,
        /// When it was recorded.
        created_at: Timestamp,
        /// When it was confirmed from outside, once it was.
        confirmed_at?: Timestamp,
    }
}
