//! `POST /payments/{payment_id}/refunds`.

use super::Payment;
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::{Amount, PaymentId, WalletAddress};

body! {
    /// A refund.
    RefundPaymentBody {
        /// Amount in the payment's currency; the whole remainder when absent.
        amount: Option<Amount>,
        /// Destination; the sender's address when absent.
        address: Option<WalletAddress>,
        /// Note for the merchant's own records.
        reason: Option<String>,
    }
}

impl Validate for RefundPaymentBody {
    fn validate(&self, report: &mut Report) {
        report.positive("amount", self.amount);
        report.optional_text("reason", self.reason.as_ref(), 500);
    }
}

operation! {
    /// Refunds a payment fully or partially.
    /// A refund is a payout and must be signed: one for each address, whose `parent_id` is the payment. The payment has
    /// `refunding_amount` until they are confirmed, and is `Refunded` or `PartialRefunded` then.
    RefundPayment in "payment": POST "/payments/{payment_id}/refunds",
    path: RefundPaymentPath {
        /// The payment's id.
        payment_id: PaymentId,
    },
    body: RefundPaymentBody,
    response: Payment,
    AUTH: Auth::Signed,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Payout,
    STEP_UP: true,
}
