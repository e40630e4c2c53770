//! The movements of an account, and of the organisation.

use settlekit_core::account::{GetMovement, ListAllMovements, ListMovements, Movement};
use settlekit_core::page::Page;

use super::movements_of;
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn list_movements(
    unit: &mut Unit<'_>,
    call: Received<ListMovements>,
) -> Outcome<Page<Movement>> {
    let organisation = call.caller.organisation;
    let list = movements_of(unit, organisation, &call.path.account)?;
    let page = store::movement_list::list(unit.database, organisation, list, &call.query)?;
    Ok(page)
}

pub(crate) fn list_all_movements(
    unit: &mut Unit<'_>,
    call: Received<ListAllMovements>,
) -> Outcome<Page<Movement>> {
    let page =
        store::movement_list::list_all(unit.database, call.caller.organisation, &call.query)?;
    Ok(page)
}

pub(crate) fn get_movement(unit: &mut Unit<'_>, call: Received<GetMovement>) -> Outcome<Movement> {
    let (organisation, id) = (call.caller.organisation, call.path.movement_id);
    store::movement::find_movement(unit.database, organisation, id)?
        .ok_or_else(|| Refusal::not_found("movement"))
}
