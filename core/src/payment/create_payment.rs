//! `POST /payments`.

use super::Payment;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::{AccountKey, Amount, ChainId, Currency, CustomerId, Object};

body! {
    /// What a new payment asks for.
    CreatePaymentBody {
        /// What is due, in `currency`.
        amount: Amount,
        /// The currency the payer sends.
        currency: Currency,
        /// The chain it is sent on.
        chain_id: ChainId,
        /// The account that receives it, by id or reference; the first that supports chain and currency when absent.
        account: Option<AccountKey>,
        /// Who pays.
        customer_id: Option<CustomerId>,
        /// Free-form.
        metadata: Option<Object>,
        /// The merchant's own name for it.
        reference: Option<String>,
    }
}

impl Validate for CreatePaymentBody {
    fn validate(&self, report: &mut Report) {
        report.positive("amount", self.amount);
        if let Some(metadata) = &self.metadata {
            report.items(
                "metadata",
                metadata.len(),
                crate::paylink::create_paylink::METADATA_KEYS_MAX,
            );
        }
        report.maybe_text("reference", self.reference.as_ref(), 128);
    }
}

operation! {
    /// Creates a payment with an address of its own.
    CreatePayment in "payment": POST "/payments",
    body: CreatePaymentBody,
    response: Payment,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
}
