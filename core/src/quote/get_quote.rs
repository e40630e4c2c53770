//! `GET /trade/quote/{quote_id}`.

use super::Quote;
use crate::operation::operation;
use crate::value::QuoteId;

operation! {
    /// Reads one quote.
    GetQuote in "quote": GET "/trade/quote/{quote_id}",
    path: GetQuotePath {
        /// The quote's id.
        quote_id: QuoteId,
    },
    response: Quote,
}
