//! Movements: made, and moved from one status to the next, each time with the event that tells of it.

use settlekit_core::account::{Account, MOVEMENT_MOVES, Movement, MovementStatus};
use settlekit_core::event::EventAction;
use settlekit_core::value::{MovementId, OrganisationId, Timestamp};

use crate::store::movement::List;
use crate::store::sql::StoreError;
use crate::store::tally;
use crate::unit::Unit;
use crate::{event, store};

/// The count of an organisation's movements that are under way.
pub(crate) const UNDER_WAY: &str = "movement under way";

fn under_way(status: &MovementStatus) -> bool {
    matches!(status, MovementStatus::Pending | MovementStatus::Processing)
}

/// Adds a movement to the lists of its account, of the account above and of the bundles they are in; its id and moment are given
/// here.
pub(crate) fn book_movement(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    movement: Movement,
    (units, scale): (i128, u32),
    fee: Option<(i128, u32)>,
    account: &Account,
) -> Result<Movement, StoreError> {
    let mut lists: Vec<List> = std::iter::once(account.id)
        .chain(account.parent_id)
        .map(List::of_account)
        .collect();
    // Without a reference and without an account above nothing bundles it.
    if account.reference.is_some() || account.parent_id.is_some() {
        let bundles =
            store::bundle::lists_of(unit.database, organisation, account.id, account.parent_id)?;
        lists.extend(bundles);
    }
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
    status: (&MovementStatus, &MovementStatus),
    transfer: Option<i64>,
) -> Result<(), StoreError> {
    let (database, now) = (&mut *unit.database, unit.now);
    let (after, confirmed_at) = (status.1, confirmed_at(status, now)?);
    let movement = store::movement::set_status(
        database,
        organisation,
        id,
        after,
        transfer,
        confirmed_at,
        now,
    )?
    .ok_or_else(|| StoreError::Damaged("a movement is not there".into()))?;
    moved(unit, organisation, status, &movement)
}

/// As [`set_movement_status`], of a movement as it stands in the database.
pub(crate) fn move_movement_on(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    movement: Movement,
    after: &MovementStatus,
    transfer: Option<i64>,
) -> Result<(), StoreError> {
    let before = movement.status.clone();
    let status = (&before, after);
    let (database, now) = (&mut *unit.database, unit.now);
    let confirmed_at = confirmed_at(status, now)?;
    let movement = store::movement::move_on(
        database,
        organisation,
        movement,
        after,
        transfer,
        confirmed_at,
        now,
    )?;
    moved(unit, organisation, status, &movement)
}

/// Since when a movement is confirmed, if the move does that; only a move that the table of moves shows is made.
fn confirmed_at(
    (before, after): (&MovementStatus, &MovementStatus),
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    if !MOVEMENT_MOVES.allow(before, after) {
        return Err(StoreError::Broken(format!(
            "a {before} movement cannot become {after}"
        )));
    }
    Ok((*after == MovementStatus::Confirmed).then_some(now))
}

/// Counts and tells that a movement has another status.
fn moved(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    (before, after): (&MovementStatus, &MovementStatus),
    movement: &Movement,
) -> Result<(), StoreError> {
    if under_way(before) && !under_way(after) {
        tally::add(unit.database, organisation, UNDER_WAY, -1)?;
    }
    let action = if *after == MovementStatus::Confirmed {
        EventAction::Settled
    } else {
        EventAction::Updated
    };
    event::record_movement(unit, organisation, action, movement)
}
