//! Movements: made, and moved from one status to the next, each time with the event that tells of it.

use settlekit_core::account::{Account, MOVEMENT_MOVES, Movement, MovementStatus};
use settlekit_core::event::EventAction;
use settlekit_core::value::{MovementId, OrganisationId};

use crate::store::sql::StoreError;
use crate::store::tally;
use crate::unit::Unit;
use crate::{event, store};

/// The count of an organisation's movements that are under way.
pub(crate) const UNDER_WAY: &str = "movement under way";

fn under_way(status: &MovementStatus) -> bool {
    matches!(status, MovementStatus::Pending | MovementStatus::Processing)
}

/// Adds a movement to the lists of its account and of the account above; its id and moment are given here.
pub(crate) fn book_movement(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    movement: Movement,
    (units, scale): (i128, u32),
    fee: Option<(i128, u32)>,
    account: &Account,
) -> Result<Movement, StoreError> {
    let lists: Vec<_> = std::iter::once(account.id)
        .chain(account.parent_id)
        .collect();
    let new = store::movement::New {
        organisation,
        movement: &movement,
        units,
        scale,
        fee,
        lists: &lists,
    };
    let (id, created_at) = store::movement::insert(unit.database, &new)?;
    let movement = Movement {
        id,
        created_at,
        ..movement
    };
    if under_way(&movement.status) {
        tally::add(unit.database, organisation, UNDER_WAY, 1)?;
    }
    event::record_movement(unit, organisation, EventAction::Created, &movement)?;
    Ok(movement)
}

/// Moves a movement to its next status; `transfer` is what was booked for it.
pub(crate) fn set_movement_status(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: MovementId,
    (before, after): (&MovementStatus, &MovementStatus),
    transfer: Option<i64>,
) -> Result<(), StoreError> {
    if !MOVEMENT_MOVES.allow(before, after) {
        return Err(StoreError::Broken(format!(
            "a {before} movement cannot become {after}"
        )));
    }
    let confirmed = *after == MovementStatus::Confirmed;
    let movement = store::movement::set_status(
        unit.database,
        organisation,
        id,
        after,
        transfer,
        confirmed.then_some(unit.now),
        unit.now,
    )?
    .ok_or_else(|| StoreError::Damaged("a movement is not there".into()))?;
    if under_way(before) && !under_way(after) {
        tally::add(unit.database, organisation, UNDER_WAY, -1)?;
    }
    let action = if confirmed {
        EventAction::Settled
    } else {
        EventAction::Updated
    };
    event::record_movement(unit, organisation, action, &movement)
}
