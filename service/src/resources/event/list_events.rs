//! Reads the event log, and retries a delivery.

use settlekit_core::event::{Attempt, Event, GetEvent, ListAttempts, ListEvents, RetryEvent};
use settlekit_core::page::Page;

use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn list_events(unit: &mut Unit<'_>, call: Received<ListEvents>) -> Outcome<Page<Event>> {
    let page = store::event::list(unit.database, call.caller.organisation, &call.query)?;
    Ok(page)
}

pub(crate) fn get_event(unit: &mut Unit<'_>, call: Received<GetEvent>) -> Outcome<Event> {
    store::event::LISTING
        .find(unit.database, call.caller.organisation, call.path.event_id)?
        .ok_or_else(|| Refusal::not_found("event"))
}

pub(crate) fn list_attempts(
    unit: &mut Unit<'_>,
    call: Received<ListAttempts>,
) -> Outcome<Vec<Attempt>> {
    let (organisation, id) = (call.caller.organisation, call.path.event_id);
    store::event::LISTING
        .find(unit.database, organisation, id)?
        .ok_or_else(|| Refusal::not_found("event"))?;
    Ok(store::delivery::attempts(unit.database, organisation, id)?)
}

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
