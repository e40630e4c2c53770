//! `POST /checkout/{paylink_id}/payments`.

use super::CheckoutPayment;
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};
use crate::value::{ChainId, Currency, PaylinkId};

body! {
    /// How the payer wants to pay, and what the link asks of them.
    StartCheckoutBody {
        /// The chain.
        chain_id: ChainId,
        /// The currency.
        currency: Currency,
        /// The payer's name.
        name: Option<String>,
        /// The payer's e-mail address.
        email: Option<String>,
        /// The merchant's own name for the payer.
        customer_ident: Option<String>,
        /// Where to send goods.
        shipping_address: Option<String>,
        /// The payer's tax number.
        tax_ident: Option<String>,
    }
}

impl Validate for StartCheckoutBody {
    fn validate(&self, report: &mut Report) {
        report.maybe_text("name", self.name.as_ref(), 200);
        if let Some(email) = &self.email {
            report.email("email", email);
        }
        report.maybe_text("customer_ident", self.customer_ident.as_ref(), 128);
        report.maybe_text("shipping_address", self.shipping_address.as_ref(), 1000);
        report.maybe_text("tax_ident", self.tax_ident.as_ref(), 64);
    }
}

operation! {
    /// Makes a payment from a paylink, with an address of its own.
    StartCheckout in "checkout": POST "/checkout/{paylink_id}/payments",
    path: StartCheckoutPath {
        /// The paylink's id.
        paylink_id: PaylinkId,
    },
    body: StartCheckoutBody,
    response: CheckoutPayment,
    AUTH: Auth::Public,
    SUCCESS: http::StatusCode::CREATED,
}
