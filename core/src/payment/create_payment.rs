//! `POST /payments`.

use super::Payment;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::paylink::create_paylink::METADATA_KEYS_MAX;
use crate::validate::{Report, Validate};
use crate::value::{AccountKey, Amount, ChainId, Currency, CustomerId, Object};

body! {
    /// A new payment.
    CreatePaymentBody {
        /// Amount due, in `currency`.
        amount: Amount,
        /// Currency the payer sends.
        currency: Currency,
        /// Chain id.
        chain_id: ChainId,
        /// Receiving account, by id or reference; the first account that supports chain and currency when absent.
        account: Option<AccountKey>,
        /// Paying customer.
        customer_id: Option<CustomerId>,
        /// Free-form JSON object.
        metadata: Option<Object>,
        /// Merchant-defined reference.
        reference: Option<String>,
    }
}

impl Validate for CreatePaymentBody {
    fn validate(&self, report: &mut Report) {
        report.positive("amount", self.amount);
        report.keys("metadata", self.metadata.as_ref(), METADATA_KEYS_MAX);
        report.optional_text("reference", self.reference.as_ref(), 128);
    }
}

operation! {
    /// Creates a payment with its own deposit address.
    CreatePayment in "payment": POST "/payments",
    body: CreatePaymentBody,
    response: Payment,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
}
