//! `POST /sandbox/payout-failures`.

use crate::field::body;
use crate::operation::{Scope, operation};
use crate::payment::Payment;
use crate::validate::{Report, Validate};
use crate::value::PaymentId;

body! {
    /// Which payout fails.
    FailPayoutBody {
        /// The payout: a payment whose method is `Payout`, queued or under way.
        payment_id: PaymentId,
    }
}

impl Validate for FailPayoutBody {
    fn validate(&self, _: &mut Report) {}
}

operation! {
    /// Has a payout fail on the simulated chain, one that is queued as soon as it is sent, and gives it as it is then.
    FailPayout in "sandbox": POST "/sandbox/payout-failures",
    body: FailPayoutBody,
    response: Payment,
    SCOPE: Scope::Write,
    SANDBOX: true,
}
