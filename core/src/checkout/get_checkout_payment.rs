//! `GET /checkout/payments/{payment_id}`.

use super::CheckoutPayment;
use crate::operation::{Auth, operation};
use crate::value::PaymentId;

operation! {
    /// Reads a payment as shown to the payer.
    GetCheckoutPayment in "checkout": GET "/checkout/payments/{payment_id}",
    path: CheckoutPaymentPath {
        /// The payment's id.
        payment_id: PaymentId,
    },
    response: CheckoutPayment,
    AUTH: Auth::Public,
}
