//! The pairs that the venue trades, with their prices.

use settlekit_core::trade::{Instrument, ListInstruments};

use crate::money::venue;
use crate::resources::quote;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn list_instruments(
    unit: &mut Unit<'_>,
    call: Received<ListInstruments>,
) -> Outcome<Vec<Instrument>> {
    quote::otc_only(unit, call.caller.organisation)?;
    let query = call.query;
    let wanted = |instrument: &Instrument| {
        query.venue_id.is_none_or(|id| id == instrument.venue_id)
            && query
                .base
                .as_ref()
                .is_none_or(|base| *base == instrument.base)
            && query
                .quote
                .as_ref()
                .is_none_or(|quote| *quote == instrument.quote)
    };
    let venues = venue::find(unit)?;
    let instruments = venues.map_or_else(Vec::new, |venues| venues.instruments(unit.now));
    Ok(instruments.into_iter().filter(wanted).collect())
}
