//! `GET /checkout/{paylink_id}`.

use super::Checkout;
use crate::field::query_fields;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};
use crate::value::{Currency, PaylinkId};

/// Maximum number of currencies that a payer may ask for.
const CURRENCIES_MAX: usize = 8;

query_fields! {
    /// The payer's own currencies.
    #[derive(Default)]
    GetCheckoutQuery {
        /// Currencies for `amounts_in`, separated by commas, at most 8.
        currency: Option<Vec<Currency>>,
    }
    names &["currency"]
}

impl Validate for GetCheckoutQuery {
    fn validate(&self, report: &mut Report) {
        let count = self.currency.as_ref().map_or(0, Vec::len);
        report.items("currency", count, CURRENCIES_MAX);
    }
}

operation! {
    /// Reads a paylink as shown to the payer.
    GetCheckout in "checkout": GET "/checkout/{paylink_id}",
    path: CheckoutPath {
        /// The paylink's id.
        paylink_id: PaylinkId,
    },
    query: GetCheckoutQuery,
    response: Checkout,
    AUTH: Auth::Public,
}
