//! Shows an event.

use settlekit_core::event::{Event, GetEvent};

use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn get_event(unit: &mut Unit<'_>, call: Received<GetEvent>) -> Outcome<Event> {
    store::event::LISTING
        .find(unit.database, call.caller.organisation, call.path.event_id)?
        .ok_or_else(|| Refusal::not_found("event"))
}
