//! Movements: booking and status changes, each with its event.

use settlekit_core::account::{
    Account, MOVEMENT_TRANSITIONS, Movement, MovementFailure, MovementStatus,
};
use settlekit_core::event::EventAction;
use settlekit_core::value::{MovementId, OrganisationId};

use crate::money::test_network::{is_test_network, test_networks};
use crate::money::worth::worth_now;
use crate::resources::event;
use crate::store;
use crate::store::counter;
use crate::store::movement::{Booked, List, NewMovement, StatusChange, Worth};
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
    after: &MovementStatus,
    transfer: Option<i64>,
) -> Result<Worth, StoreError> {
    let booked = booked(unit, organisation, id)?;
    move_movement_on(unit, organisation, booked, after, transfer)
}

/// Fails a movement.
pub(crate) fn fail_movement(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: MovementId,
    failure: &MovementFailure,
) -> Result<(), StoreError> {
    let booked = booked(unit, organisation, id)?;
    let failed = (&MovementStatus::Failed, Some(failure));
    change(unit, organisation, booked, failed, None).map(drop)
}

fn booked(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: MovementId,
) -> Result<Booked, StoreError> {
    store::movement::find_booked(unit.database, organisation, id)?
        .ok_or_else(|| StoreError::Damaged("a movement is not there".into()))
}

/// As [`set_movement_status`], for a movement that was read before. Once confirmed, it keeps its current worth.
pub(crate) fn move_movement_on(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    booked: Booked,
    after: &MovementStatus,
    transfer: Option<i64>,
) -> Result<Worth, StoreError> {
    change(unit, organisation, booked, (after, None), transfer)
}

fn change(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    booked: Booked,
    (after, failure): (&MovementStatus, Option<&MovementFailure>),
    transfer: Option<i64>,
) -> Result<Worth, StoreError> {
    let before = booked.movement.status.clone();
    if !MOVEMENT_TRANSITIONS.allows(&before, after) {
        return Err(StoreError::Broken(format!(
            "a {before} movement cannot become {after}"
        )));
    }
    let worth = match after {
        MovementStatus::Confirmed => Some(worth(unit, organisation, &booked.movement)?),
        _ => None,
    };
    let change = StatusChange {
        after,
        transfer,
        failure,
        worth: worth.as_ref(),
        now: unit.now,
    };
    let movement = store::movement::set_status(unit.database, organisation, booked, &change)?;
    moved(unit, organisation, (&before, after), &movement)?;
    Ok(worth.unwrap_or_default())
}

/// The worth of a movement now: none on a test network.
fn worth(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    movement: &Movement,
) -> Result<Worth, StoreError> {
    if is_on_test_network(unit, organisation, movement)? {
        return Ok(Worth::default());
    }
    worth_now(unit, organisation, movement.amount, &movement.currency)
}

fn is_on_test_network(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    movement: &Movement,
) -> Result<bool, StoreError> {
    if test_networks(unit)?.is_empty() {
        return Ok(false);
    }
    let chain = match &movement.chain {
        Some(chain) => Some(chain.id),
        // Without a transaction a movement names no chain.
        None => store::account::LISTING
            .find(unit.database, organisation, movement.account_id)?
            .and_then(|account| account.chain_id),
    };
    match chain {
        Some(chain) => is_test_network(unit, chain),
        None => Ok(false),
    }
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
