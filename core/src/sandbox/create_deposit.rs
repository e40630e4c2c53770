//! `POST /sandbox/deposits`.

use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::record::record;
use crate::value::{AccountId, AccountKey, Amount, ChainId, Currency, Timestamp};

body! {
    /// A deposit on the simulated chain.
    CreateDepositBody {
        /// Receiving account, by id or reference.
        account: AccountKey,
        /// Chain id.
        chain_id: ChainId,
        /// Currency symbol.
        currency: Currency,
        /// Amount.
        amount: Amount,
    }
}

impl Validate for CreateDepositBody {
    fn validate(&self, report: &mut Report) {
        report.positive("amount", self.amount);
    }
}

record! {
    /// A pending deposit on the simulated chain.
    Deposit {
        /// Receiving account.
        account_id: AccountId,
        /// Chain id.
        chain_id: ChainId,
        /// Currency symbol.
        currency: Currency,
        /// Amount.
        amount: Amount,
        /// Hash of the simulated transaction.
        transaction_hash: String,
        /// Time it was sent.
        created_at: Timestamp,
    }
}

operation! {
    /// Sends a deposit to an account on the simulated chain.
    CreateDeposit in "sandbox": POST "/sandbox/deposits",
    body: CreateDepositBody,
    response: Deposit,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
    SANDBOX: true,
}
