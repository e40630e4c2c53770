//! Replays: deliver all events that match a filter again, a batch per round, so that a long replay blocks nothing.

use settlekit_core::event::{Replay, ReplayStatus};

use crate::store;
use crate::store::replay::Running;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Events per replay and round, and replays per round.
const EVENTS_MAX: u32 = 100;
const REPLAYS_MAX: u32 = 4;

/// Queues the next batch of each running replay; returns the count of events.
pub(crate) fn run_due(unit: &mut Unit<'_>) -> Result<usize, StoreError> {
    let mut queued = 0;
    for running in store::replay::running(unit.database, REPLAYS_MAX)? {
        let next = store::replay::next(unit.database, &running, EVENTS_MAX)?;
        // Matches change during the replay: events fail, succeed, or are retried by hand.
        let total = running.replay.queued + next.ahead;
        let next = next.events;
        for (event, delivery) in &next {
            store::delivery::make_due(
                unit.database,
                running.organisation,
                *event,
                delivery,
                unit.now,
            )?;
        }
        queued += next.len();
        let over = next.len() < EVENTS_MAX as usize;
        let running = Running {
            after_seq: next
                .last()
                .map_or(running.after_seq, |(_, delivery)| delivery.seq),
            replay: Replay {
                status: if over {
                    ReplayStatus::Done
                } else {
                    ReplayStatus::Running
                },
                total,
                queued: running.replay.queued + next.len() as u64,
                updated_at: unit.now,
                ..running.replay
            },
            ..running
        };
        store::replay::update(unit.database, &running)?;
    }
    Ok(queued)
}
