//! Retries the delivery of an event.

use settlekit_core::event::{Event, RetryEvent};

use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn retry_event(unit: &mut Unit<'_>, call: Received<RetryEvent>) -> Outcome<Event> {
    let (organisation, id) = (call.caller.organisation, call.path.event_id);
    let delivery = store::delivery::lock_delivery(unit.database, organisation, id)?
        .ok_or_else(|| Refusal::not_found("event"))?;
    super::refuse_unreachable(unit, organisation)?;
    store::delivery::make_due(unit.database, organisation, id, &delivery, unit.now)?;
    store::event::LISTING
        .find(unit.database, organisation, id)?
        .ok_or_else(|| Refusal::not_found("event"))
}
