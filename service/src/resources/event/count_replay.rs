//! Counts the events that a replay would send.

use settlekit_core::event::{CountReplay, DeliveryStatus, ReplayCount};

use crate::store;
use crate::store::replay::Filter;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn count_replay(
    unit: &mut Unit<'_>,
    call: Received<CountReplay>,
) -> Outcome<ReplayCount> {
    let (organisation, query) = (call.caller.organisation, call.query);
    let filter = Filter {
        since: query.since,
        until: query.until,
        r#type: query.r#type,
        action: query.action,
        delivery_status: query.delivery_status.unwrap_or(DeliveryStatus::Failed),
    };
    Ok(ReplayCount {
        count: store::replay::count(unit.database, organisation, &filter)?,
    })
}
