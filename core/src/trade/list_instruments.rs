//! `GET /trade/instruments`.

use super::Instrument;
use crate::field::query;
use crate::operation::operation;
use crate::value::{Currency, VenueId};

query! {
    /// Which instruments to list.
    ListInstrumentsQuery {
        /// Only those of this venue.
        venue_id: Option<VenueId>,
        /// Only those that price this currency.
        base: Option<Currency>,
        /// Only those priced in this currency.
        quote: Option<Currency>,
    }
    names &["venue_id", "base", "quote"]
}

operation! {
    /// Lists every instrument of every venue; only for the OTC organisation.
    ListInstruments in "trade": GET "/trade/instruments",
    query: ListInstrumentsQuery,
    response: Vec<Instrument>,
}
