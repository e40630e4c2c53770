//! `POST /sandbox/reorganisations`.

use crate::field::body;
use crate::operation::{Scope, operation};
use crate::payment::CryptoTransaction;
use crate::validate::{Report, Validate};

body! {
    /// Which block the simulated chain takes back.
    ReorganiseChainBody {
        /// The hash of a transaction that lies in it, or still waits for one.
        transaction_hash: String,
        /// Whether the transaction lies in another block at once; it will never be confirmed when absent.
        returns: Option<bool>,
    }
}

impl Validate for ReorganiseChainBody {
    fn validate(&self, report: &mut Report) {
        report.text("transaction_hash", &self.transaction_hash, 128);
    }
}

operation! {
    /// Has the simulated chain take back the blocks that hold a transaction, and gives the transaction as it is then.
    ReorganiseChain in "sandbox": POST "/sandbox/reorganisations",
    body: ReorganiseChainBody,
    response: CryptoTransaction,
    SCOPE: Scope::Write,
    SANDBOX: true,
}
