//! `GET /trade/instruments`.

use super::Instrument;
use crate::field::query;
use crate::operation::operation;
use crate::value::{Currency, VenueId};

query! {
    /// Filters of the instrument list.
    ListInstrumentsQuery {
        /// Filter by venue.
        venue_id: Option<VenueId>,
        /// Filter by base currency.
        base: Option<Currency>,
        /// Filter by quote currency.
        quote: Option<Currency>,
    }
    names &["venue_id", "base", "quote"]
}

operation! {
    /// Lists the instruments of all venues; only for the OTC organisation.
    ListInstruments in "trade": GET "/trade/instruments",
    query: ListInstrumentsQuery,
    response: Vec<Instrument>,
}
