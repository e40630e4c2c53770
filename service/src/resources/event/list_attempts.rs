//! Lists the delivery attempts of an event.

use settlekit_core::event::{Attempt, ListAttempts};

use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

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
