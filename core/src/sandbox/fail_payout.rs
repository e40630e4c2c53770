//! `POST /sandbox/payout-failures`.

use crate::field::body;
use crate::operation::{Scope, operation};
use crate::payment::Payment;
use crate::validate::Validate;
use crate::value::PaymentId;

body! {
    /// The payout that fails.
    FailPayoutBody {
        /// Payment id of a queued or sent payout.
        payment_id: PaymentId,
    }
}

impl Validate for FailPayoutBody {}

operation! {
    /// Fails a payout on the simulated chain; a queued payout fails once it is sent.
    /// Returns the payout.
    FailPayout in "sandbox": POST "/sandbox/payout-failures",
    body: FailPayoutBody,
    response: Payment,
    SCOPE: Scope::Write,
    SANDBOX: true,
}
