//! `POST /sandbox/deposits`.

use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::record::record;
use crate::value::{AccountId, AccountKey, Amount, ChainId, Currency, Timestamp};

body! {
    /// A deposit to make on the simulated chain.
    CreateDepositBody {
        /// The receiving account, by id or reference.
        account: AccountKey,
        /// The chain.
        chain_id: ChainId,
        /// The currency.
        currency: Currency,
        /// How much.
        amount: Amount,
    }
}

impl Validate for CreateDepositBody {
    fn validate(&self, report: &mut Report) {
        report.positive("amount", self.amount);
    }
}

record! {
    /// A deposit under way on the simulated chain.
    Deposit {
        /// The receiving account.
        account_id: AccountId,
        /// The chain.
        chain_id: ChainId,
        /// The currency.
        currency: Currency,
        /// How much.
        amount: Amount,
        /// The simulated transaction.
        transaction_hash: String,
        /// When it was sent.
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
