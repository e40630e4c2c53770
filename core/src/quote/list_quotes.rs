//! `GET /trade/quote/history`.

use super::Quote;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};

operation! {
    /// Lists the organisation's quotes; requires the OTC feature.
    ListQuotes in "quote": GET "/trade/quote/history",
    query: ListQuery,
    response: Page<Quote>,
    WIRE: Wire::List,
}
