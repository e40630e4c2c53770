//! `POST /trade/quote/{quote_id}/accept`.

use crate::field::body;
use crate::operation::{Scope, operation};
use crate::paylink::create_paylink::REFERENCE_CHARS_MAX;
use crate::trade::QuickTrade;
use crate::validate::{Report, Validate};
use crate::value::QuoteId;

body! {
    /// Options of the order.
    AcceptQuoteBody {
        /// Merchant-defined reference of the order.
        reference: Option<String>,
    }
}

impl Validate for AcceptQuoteBody {
    fn validate(&self, report: &mut Report) {
        report.optional_text("reference", self.reference.as_ref(), REFERENCE_CHARS_MAX);
    }
}

operation! {
    /// Accepts a quote before it expires, once.
    /// The answer is the order.
    AcceptQuote in "quote": POST "/trade/quote/{quote_id}/accept",
    path: AcceptQuotePath {
        /// The quote's id.
        quote_id: QuoteId,
    },
    body: AcceptQuoteBody,
    response: QuickTrade,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
    OUTFLOW: true,
}
