//! Stops a replay that runs.

use settlekit_core::event::{CancelReplay, Replay, ReplayStatus};

use crate::store;
use crate::store::replay::Running;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn cancel_replay(unit: &mut Unit<'_>, call: Received<CancelReplay>) -> Outcome<Replay> {
    let (organisation, id) = (call.caller.organisation, call.path.replay_id);
    let found = store::replay::find(unit.database, organisation, id, true)?;
    let running = found.ok_or_else(|| Refusal::not_found("replay"))?;
    if running.replay.status != ReplayStatus::Running {
        return Err(Refusal::state_forbids(format!(
            "the replay is already {}",
            running.replay.status
        )));
    }
    let running = Running {
        replay: Replay {
            status: ReplayStatus::Canceled,
            updated_at: unit.now,
            ..running.replay
        },
        ..running
    };
    store::replay::update(unit.database, &running)?;
    Ok(running.replay)
}
