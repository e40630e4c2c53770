//! Movements: booking and status changes, each with its event.

use settlekit_core::account::{Account, MOVEMENT_TRANSITIONS, Movement, MovementStatus};
use settlekit_core::event::EventAction;
use settlekit_core::value::{MovementId, OrganisationId};

use crate::resources::event;
use crate::store;
use crate::store::counter;
use crate::store::movement::{Booked, List, NewMovement, StatusChange};
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The counter of an organisation's pending movements.
pub(crate) const UNDER_WAY: &str = "movement under way";

fn under_way(status: &MovementStatus) -> bool {
    matches!(status, MovementStatus::Pending | MovementStatus::Processing)
}

/// Adds a movement to the lists of its account, of the parent and of their bundles.
pub(crate) fn book_movement(
    unit: &mut Unit<'_>,
    account: &Account,
    new: NewMovement,
) -> Result<Booked, StoreError> {
    let organisation = account.org_id;
    let mut lists: Vec<List> = std::iter::once(account.id)
        .chain(account.parent_id)
        .map(List::of_account)
        .collect();
    // An account without reference and parent is in no bundle.
    if account.reference.is_some() || account.parent_id.is_some() {
        let bundles =
            store::bundle::lists_of(unit.database, organisation, account.id, account.parent_id)?;
        lists.extend(bundles);
    }
    let booked = store::movement::insert(unit.database, new, &lists, unit.now)?;
    if under_way(&booked.movement.status) {
        counter::add(unit.database, organisation, UNDER_WAY, 1)?;
    }
    event::record(unit, organisation, EventAction::Created, &booked.movement)?;
    Ok(booked)
}

/// Moves a movement to its next status; `transfer` is its ledger transfer.
pub(crate) fn set_movement_status(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: MovementId,
    status: (&MovementStatus, &MovementStatus),
    transfer: Option<i64>,
) -> Result<(), StoreError> {
    let change = change(unit, organisation, status, transfer)?;
    let movement = store::movement::set_status(unit.database, id, &change)?
        .ok_or_else(|| StoreError::Damaged("a movement is not there".into()))?;
    moved(unit, organisation, status, &movement)
}

/// As [`set_movement_status`], for a movement just written.
pub(crate) fn move_movement_on(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    booked: Booked,
    after: &MovementStatus,
    transfer: Option<i64>,
) -> Result<(), StoreError> {
    let before = booked.movement.status.clone();
    let status = (&before, after);
    let change = change(unit, organisation, status, transfer)?;
    let movement = store::movement::move_on(unit.database, booked, &change)?;
    moved(unit, organisation, status, &movement)
}

/// A status change, if the state machine allows it.
fn change<'a>(
    unit: &Unit<'_>,
    organisation: OrganisationId,
    (before, after): (&'a MovementStatus, &'a MovementStatus),
    transfer: Option<i64>,
) -> Result<StatusChange<'a>, StoreError> {
    if !MOVEMENT_TRANSITIONS.allows(before, after) {
        return Err(StoreError::Broken(format!(
            "a {before} movement cannot become {after}"
        )));
    }
    Ok(StatusChange {
        organisation,
        before,
        after,
        transfer,
        confirmed_at: (*after == MovementStatus::Confirmed).then_some(unit.now),
        now: unit.now,
    })
}

/// Updates the counter and records the event of a status change.
fn moved(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    (before, after): (&MovementStatus, &MovementStatus),
    movement: &Movement,
) -> Result<(), StoreError> {
    if under_way(before) && !under_way(after) {
        counter::add(unit.database, organisation, UNDER_WAY, -1)?;
    }
    let action = if *after == MovementStatus::Confirmed {
        EventAction::Settled
    } else {
        EventAction::Updated
    };
    event::record(unit, organisation, action, movement)
}
