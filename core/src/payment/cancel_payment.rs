//! `DELETE /payments/{payment_id}`.

use super::Payment;
use crate::operation::{Scope, operation};
use crate::value::PaymentId;

operation! {
    /// Cancels a Processing proxy-wallet one-time payment with nothing paid, or a payout whose transaction is not signed: all of its
    /// money returns to the account. A payout that the service sends needs the scope `payout`, too.
    CancelPayment in "payment": DELETE "/payments/{payment_id}",
    path: CancelPaymentPath {
        /// The payment's id.
        payment_id: PaymentId,
    },
    response: Payment,
    SCOPE: Scope::Write,
}
