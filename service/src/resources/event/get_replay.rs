//! Shows a replay with its progress.

use settlekit_core::event::{GetReplay, Replay};

use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn get_replay(unit: &mut Unit<'_>, call: Received<GetReplay>) -> Outcome<Replay> {
    let (organisation, id) = (call.caller.organisation, call.path.replay_id);
    let found = store::replay::find(unit.database, organisation, id, false)?;
    Ok(found.ok_or_else(|| Refusal::not_found("replay"))?.replay)
}
