//! `POST /trade/quote/{quote_id}/reject`.

use super::Quote;
use crate::operation::{Scope, operation};
use crate::value::QuoteId;

operation! {
    /// Rejects a quote, which can no longer be accepted.
    RejectQuote in "quote": POST "/trade/quote/{quote_id}/reject",
    path: RejectQuotePath {
        /// The quote's id.
        quote_id: QuoteId,
    },
    response: Quote,
    SCOPE: Scope::Write,
}
