//! Replays: deliver all events that match a filter again, a batch per round, so that a long replay blocks nothing.

use settlekit_core::event::{
    CancelReplay, CountReplay, CreateReplay, DeliveryStatus, GetReplay, Replay, ReplayCount,
    ReplayStatus,
};
use settlekit_core::value::ReplayId;

use crate::store;
use crate::store::replay::{Filter, Running};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// Events per replay and round, and replays per round.
const EVENTS_MAX: u32 = 100;
const REPLAYS_MAX: u32 = 4;

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
    let last_seq = store::event::latest(unit.database, organisation)?;
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

pub(crate) fn get_replay(unit: &mut Unit<'_>, call: Received<GetReplay>) -> Outcome<Replay> {
    let (organisation, id) = (call.caller.organisation, call.path.replay_id);
    let found = store::replay::find(unit.database, organisation, id, false)?;
    Ok(found.ok_or_else(|| Refusal::not_found("replay"))?.replay)
}

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
