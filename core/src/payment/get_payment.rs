//! `GET /payments/{payment_id}`.

use super::Payment;
use crate::operation::operation;
use crate::value::PaymentId;

operation! {
    /// Reads one payment with its transactions and timeline.
    GetPayment in "payment": GET "/payments/{payment_id}",
    path: PaymentPath {
        /// The payment's id.
        payment_id: PaymentId,
    },
    response: Payment,
}
