//! The ledger of an account as read.

use settlekit_core::account::{ListMovements, Movement};
use settlekit_core::page::Page;

use crate::refusal::{Outcome, Refusal};
use crate::router::Received;
use crate::store;
use crate::unit::Unit;

pub(crate) fn list_movements(
    unit: &mut Unit<'_>,
    call: Received<ListMovements>,
) -> Outcome<Page<Movement>> {
    let account =
        store::account::by_key(unit.database, call.caller.organisation, &call.path.account)?
            .ok_or_else(|| Refusal::not_found("account"))?;
    Ok(store::movement::list(
        unit.database,
        account.id,
        &call.query,
    )?)
}
