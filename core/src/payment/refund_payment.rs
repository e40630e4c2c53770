//! `POST /payments/{payment_id}/refunds`.

use super::Payment;
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::{Amount, PaymentId, WalletAddress};

body! {
    /// What goes back to whom.
    RefundPaymentBody {
        /// How much, in the payment's currency; all that is left when absent.
        amount: Option<Amount>,
        /// Where it goes; to whoever sent it when absent.
        address: Option<WalletAddress>,
        /// For the merchant's own books.
        reason: Option<String>,
    }
}

impl Validate for RefundPaymentBody {
    fn validate(&self, report: &mut Report) {
        if let Some(amount) = self.amount {
            report.positive("amount", amount);
        }
        report.maybe_text("reason", self.reason.as_ref(), 500);
    }
}

operation! {
    /// Sends what was paid back, whole or in part. It is a payout and must be signed.
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
