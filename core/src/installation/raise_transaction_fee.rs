//! `POST /installation/transactions/{transaction_id}/raise-fee`.

use super::OutgoingTransaction;
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::TransactionId;

body! {
    /// The form to replace.
    RaiseTransactionFeeBody {
        /// The transaction's `attempts`, as read: a form that was replaced since is not replaced again.
        attempts: i64,
    }
}

impl Validate for RaiseTransactionFeeBody {
    fn validate(&self, report: &mut Report) {
        if self.attempts < 1 {
            report.add_error("attempts", Reason::OutOfRange, "must be 1 or more");
        }
    }
}

operation! {
    /// Replaces a transaction under way by one with the same nonce and a fee an eighth higher; for operators of the installation.
    RaiseTransactionFee in "installation": POST "/installation/transactions/{transaction_id}/raise-fee",
    path: RaiseTransactionFeePath {
        /// The transaction's id.
        transaction_id: TransactionId,
    },
    body: RaiseTransactionFeeBody,
    response: OutgoingTransaction,
    AUTH: Auth::Session,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}
