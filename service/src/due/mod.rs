//! Due work. One round runs a limited number of jobs of each kind.

pub mod delivery;

use settlekit_core::value::Timestamp;

use crate::chains::simulated;
use crate::resources::{
    automation, checkout, event, invoice, paylink, payment, quote, subscription, trade,
};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Jobs of one kind per round; the next round runs the rest. A round is one transaction, for whose end other writers wait on
/// PostgreSQL.
const STEPS_MAX: u32 = 64;

/// Rounds per due time: a job that is always due must not stop the clock.
const ROUNDS_MAX: u32 = 4096;

/// Advances the clock to a time, stopping at each due time before it, so that jobs run in order.
pub(crate) fn advance(unit: &mut Unit<'_>, until: Timestamp) -> Result<(), StoreError> {
    let mut rounds = 0;
    while let Some(next) = store::due::next_step(unit.database, unit.now)?
        && next <= until
        && rounds < ROUNDS_MAX
    {
        rounds = if next > unit.now { 1 } else { rounds + 1 };
        unit.now = unit.now.max(next);
        run_due(unit)?;
    }
    unit.now = unit.now.max(until);
    Ok(())
}

/// Runs one round of due jobs and deletes expired rows; returns how many jobs ran.
pub(crate) fn run_due(unit: &mut Unit<'_>) -> Result<usize, StoreError> {
    quote::expire_due(unit, STEPS_MAX)?;
    trade::run_due(unit, STEPS_MAX)?;
    let blocks = match unit.options().mode.simulation() {
        Some(simulation) => simulated::run_due(simulation, unit, STEPS_MAX)?,
        None => 0,
    };
    let taken = blocks
        + paylink::expire_due(unit, STEPS_MAX)?
        + payment::expire_due(unit, STEPS_MAX)?
        + subscription::run_due(unit, STEPS_MAX)?
        + invoice::run_due(unit, STEPS_MAX)?
        + automation::run_due(unit, STEPS_MAX)?
        + event::run_due(unit)?;
    store::due::delete_expired(unit.database, unit.now)?;
    checkout::forget_holds(unit)?;
    Ok(taken)
}
