//! `POST /sandbox/checkout/payments/{payment_id}/pay`.

use super::CheckoutPayment;
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};
use crate::value::{Amount, PaymentId};

body! {
    /// A payment from the test wallet.
    PayFromTestWalletBody {
        /// Amount; the amount still due when absent.
        amount: Option<Amount>,
    }
}

impl Validate for PayFromTestWalletBody {
    fn validate(&self, report: &mut Report) {
        report.positive("amount", self.amount);
    }
}

operation! {
    /// Pays from the test wallet of the simulated chain.
    PayFromTestWallet in "checkout": POST "/sandbox/checkout/payments/{payment_id}/pay",
    path: PayFromTestWalletPath {
        /// The payment's id.
        payment_id: PaymentId,
    },
    body: PayFromTestWalletBody,
    response: CheckoutPayment,
    AUTH: Auth::Public,
    SUCCESS: http::StatusCode::CREATED,
    SANDBOX: true,
}
