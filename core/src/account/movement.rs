//! The merchant's view of a posting.

use crate::chain::Chain;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{AccountId, AccountReference, Amount, Currency, MovementId, Timestamp};

open_enum! {
    /// Direction relative to the account.
    Direction { In = "IN", Out = "OUT" }
}

open_enum! {
    /// Cause of a movement.
    MovementType { Deposit, Withdraw, Transfer, Swap, NetworkFee, ServiceFee, Adjustment }
}

open_enum! {
    /// Status of a movement.
    MovementStatus { Pending, Processing, Confirmed, Failed, Refunded, PartialRefunded }
}

open_enum! {
    /// Why a movement failed. The account's money is as if the movement had never been.
    MovementFailure {
        /// Its transaction is in a block and failed there.
        Reverted,
        /// No block has its transaction, or another transaction took its place.
        Dropped,
        /// The network accepts no form of its transaction, so it was never sent.
        NotAccepted,
        /// A second member refused the payout.
        ApprovalRefused,
        /// The payout was canceled before it was signed.
        Canceled,
        /// The order that reserved it was not executed, or for less.
        NotExecuted,
        /// The balance would have more digits than can be stored exactly.
        AmountTooLarge,
    }
}

record! {
    /// One entry of an account's ledger (contract, "Movement").
    Movement {
        /// Unique id.
        id: MovementId,
        /// Account it was booked on: the requested account or a sub-account.
        account_id: AccountId,
        /// Reference of that account, if it has one.
        account_reference?: AccountReference,
        /// Amount in `currency`.
        amount: Amount,
        /// Currency of `amount`.
        currency: Currency,
        /// Direction relative to the account.
        direction: Direction,
        /// Cause.
        r#type: MovementType,
        /// Current status.
        status: MovementStatus,
        /// Why it failed; absent unless `status` is Failed.
        failure?: MovementFailure,
        /// Worth of `amount` in US dollars when it was booked, to the millionth; absent until it is booked, without a price, and on
        /// a test network.
        amount_usd?: Amount,
        /// Worth of `amount` in `reporting_currency` when it was booked, to the millionth; absent when `amount_usd` is, and if
        /// the organisation had no currency of its own.
        reporting_amount?: Amount,
        /// The organisation's own currency when it was booked (`properties.currency`).
        reporting_currency?: Currency,
        /// Fee charged on top of `amount`, if any.
        fee?: Amount,
        /// Currency of `fee`.
        fee_currency?: Currency,
        /// Id of the causing object; absent for internal operations.
        entity_id?: String,
        /// Chain of an on-chain movement.
        chain?: Chain,
        /// Source address of an incoming on-chain movement.
        from_address?: String,
        /// Destination address of an outgoing on-chain movement.
        to_address?: String,
        /// Transaction hash, once broadcast.
        transaction_hash?: String,
        /// Creation time.
        created_at: Timestamp,
        /// Time of external confirmation, once confirmed.
        confirmed_at?: Timestamp,
    }
}
