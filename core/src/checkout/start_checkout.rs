//! `POST /checkout/{paylink_id}/payments`.

use super::CheckoutPayment;
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};
use crate::value::{ChainId, Currency, PaylinkId};

body! {
    /// Chain, currency and payer data of a checkout.
    StartCheckoutBody {
        /// Chain id.
        chain_id: ChainId,
        /// Currency symbol.
        currency: Currency,
        /// Payer's name.
        name: Option<String>,
        /// Payer's e-mail address.
        email: Option<String>,
        /// Merchant-defined reference of the payer.
        customer_ident: Option<String>,
        /// Shipping address.
        shipping_address: Option<String>,
        /// Payer's tax number.
        tax_ident: Option<String>,
    }
}

impl Validate for StartCheckoutBody {
    fn validate(&self, report: &mut Report) {
        report.optional_text("name", self.name.as_ref(), 200);
        if let Some(email) = &self.email {
            report.email("email", email);
        }
        report.optional_text("customer_ident", self.customer_ident.as_ref(), 128);
        report.optional_text("shipping_address", self.shipping_address.as_ref(), 1000);
        report.optional_text("tax_ident", self.tax_ident.as_ref(), 64);
    }
}

operation! {
    /// Creates a payment from a paylink, with its own deposit address.
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
