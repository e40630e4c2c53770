//! Starts sending the events of a time again.

use settlekit_core::event::{CreateReplay, DeliveryStatus, Replay, ReplayStatus};
use settlekit_core::value::ReplayId;

use crate::store;
use crate::store::replay::{Filter, Running};
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn create_replay(unit: &mut Unit<'_>, call: Received<CreateReplay>) -> Outcome<Replay> {
    let (organisation, body) = (call.caller.organisation, call.body);
    super::refuse_unreachable(unit, organisation)?;
    let filter = Filter {
        since: body.since,
        until: body.until,
        r#type: body.r#type,
        action: body.action,
        delivery_status: body.delivery_status.unwrap_or(DeliveryStatus::Failed),
    };
    // Later events are delivered anyway.
    let last_seq = store::event::latest_seq(unit.database, organisation)?;
    let total = store::replay::count(unit.database, organisation, &filter)?;
    let running = Running {
        organisation,
        replay: Replay {
            id: ReplayId::new(unit.now, unit.id_bytes()),
            status: if total == 0 {
                ReplayStatus::Done
            } else {
                ReplayStatus::Running
            },
            total,
            queued: 0,
            created_at: unit.now,
            updated_at: unit.now,
        },
        filter,
        after_seq: 0,
        last_seq,
    };
    store::replay::insert(unit.database, &running)?;
    Ok(running.replay)
}
