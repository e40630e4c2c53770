//! `POST /sandbox/reorganisations`.

use crate::field::body;
use crate::operation::{Scope, operation};
use crate::payment::CryptoTransaction;
use crate::validate::{Report, Validate};

body! {
    /// A reorganisation of the simulated chain.
    ReorganiseChainBody {
        /// Hash of a mined or pending transaction.
        transaction_hash: String,
        /// Whether the transaction is mined again in another block; if absent, it is never confirmed.
        returns: Option<bool>,
    }
}

impl Validate for ReorganiseChainBody {
    fn validate(&self, report: &mut Report) {
        report.text("transaction_hash", &self.transaction_hash, 128);
    }
}

operation! {
    /// Reverts the blocks of the simulated chain that hold a transaction.
    /// Returns the transaction.
    ReorganiseChain in "sandbox": POST "/sandbox/reorganisations",
    body: ReorganiseChainBody,
    response: CryptoTransaction,
    SCOPE: Scope::Write,
    SANDBOX: true,
}
