//! Lists the event log.

use settlekit_core::event::{Event, ListEvents};
use settlekit_core::page::Page;

use crate::store;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn list_events(unit: &mut Unit<'_>, call: Received<ListEvents>) -> Outcome<Page<Event>> {
    let page = store::event::list(unit.database, call.caller.organisation, &call.query)?;
    Ok(page)
}
