//! What time brings by itself, without anybody asking. One round of it takes at most so many steps of each kind.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use settlekit_core::value::{OrganisationId, Timestamp};

use crate::refusal::{Outcome, Refusal};
use crate::store::due::DueRows;
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::{
    automation, checkout, event, invoice, payment, quote, simulated, store, subscription, trade,
};

/// How many steps of a kind one round takes at most: the next round takes the rest. A round is one transaction, and on
/// PostgreSQL others may have to wait for its end.
const STEPS_MAX: u32 = 64;

/// How many rounds are made at most of what is due in one moment: what never has enough must not hold the clock for ever.
const ROUNDS_MAX: u32 = 4096;

/// How long a row is left alone that could not take its step.
pub(crate) const LEFT_ALONE: Duration = Duration::from_secs(60 * 60);

/// Has each row that is due take its next step, so many at most; gives how many were due. What is due is one transaction,
/// whoever's it is: so a row that cannot take its step by what it holds is left alone for a while, and told.
pub(crate) fn each<Id: FromStr + Display>(
    unit: &mut Unit<'_>,
    waiting: &DueRows,
    limit: u32,
    mut step: impl FnMut(&mut Unit<'_>, OrganisationId, Id) -> Outcome<()>,
) -> Result<usize, StoreError> {
    let due = waiting.due::<Id>(unit.database, unit.now, limit)?;
    let taken = due.len();
    for (organisation, id) in due {
        let name = id.to_string();
        let what = format!("{} {name} of {organisation}", waiting.table());
        if !attempt(unit, &what, |unit| step(unit, organisation, id))? {
            let until = unit.now.plus(LEFT_ALONE);
            waiting.postpone(unit.database, organisation, &name, until)?;
        }
    }
    Ok(taken)
}

/// Takes one step; one that fails by what is stored is undone and told, and false is given.
pub(crate) fn attempt(
    unit: &mut Unit<'_>,
    what: &str,
    step: impl FnOnce(&mut Unit<'_>) -> Outcome<()>,
) -> Result<bool, StoreError> {
    let trouble = match unit.attempt(step)? {
        Ok(()) => return Ok(true),
        Err(Refusal::Store(error)) => error.to_string(),
        Err(refusal) => refusal.into_error("service")?.message,
    };
    unit.failures.push(format!("{what}: {trouble}"));
    Ok(false)
}

/// Goes on to a moment, from one moment at which something is due to the next: each thing happens in its time.
pub(crate) fn go_on(unit: &mut Unit<'_>, until: Timestamp) -> Result<(), StoreError> {
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

/// Takes whatever is due its next step, and forgets what is over; gives how many steps were taken.
pub(crate) fn run_due(unit: &mut Unit<'_>) -> Result<usize, StoreError> {
    quote::lapse(unit, STEPS_MAX)?;
    trade::run_due(unit, STEPS_MAX)?;
    let blocks = match unit.options().mode.simulation() {
        Some(simulation) => simulated::run_due(simulation, unit, STEPS_MAX)?,
        None => 0,
    };
    let taken = blocks
        + payment::lapse(unit, STEPS_MAX)?
        + subscription::run_due(unit, STEPS_MAX)?
        + invoice::run_due(unit, STEPS_MAX)?
        + automation::run_due(unit, STEPS_MAX)?
        + event::run_due(unit)?;
    store::api_key::forget_nonces(unit.database, unit.now)?;
    store::idempotency::forget_over(unit.database, unit.now)?;
    store::session::delete_over(unit.database, unit.now)?;
    store::password_failure::delete_over(unit.database, unit.now)?;
    store::signing_secret::forget_over(unit.database, unit.now)?;
    checkout::forget_holds(unit)?;
    Ok(taken)
}
