//! The ledger of an account as read.

use settlekit_core::account::{ListMovements, Movement};
use settlekit_core::page::Page;

use super::movements_of;
use crate::refusal::Outcome;
use crate::router::Received;
use crate::store;
use crate::unit::Unit;

pub(crate) fn list_movements(
    unit: &mut Unit<'_>,
    call: Received<ListMovements>,
) -> Outcome<Page<Movement>> {
    let list = movements_of(unit, call.caller.organisation, &call.path.account)?;
    Ok(store::movement::list(unit.database, list, &call.query)?)
}
