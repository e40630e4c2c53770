//! What time brings by itself, without anybody asking. One round of it takes at most so many steps of each kind.

use settlekit_core::value::Timestamp;

use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::{automation, event, invoice, payment, quote, simulated, store, subscription, trade};

/// How many steps of a kind one round takes at most: the next round takes the rest. A round is one transaction, and on
/// PostgreSQL others may have to wait for its end.
const STEPS_MAX: u32 = 64;

/// How many rounds are made at most when the clock was moved: ten years of a daily subscription.
const ROUNDS_MAX: u32 = 4096;

/// Goes on to a moment, from one moment at which something is due to the next: each thing happens in its time.
pub(crate) fn go_on(unit: &mut Unit<'_>, until: Timestamp) -> Result<(), StoreError> {
    for _ in 0..ROUNDS_MAX {
        match store::waiting::next_step(unit.database, unit.now)? {
            Some(next) if next <= until => unit.now = unit.now.max(next),
            _ => break,
        }
        run_due(unit)?;
    }
    unit.now = unit.now.max(until);
    Ok(())
}

/// Takes whatever is due its next step, and forgets what is over; gives how many steps were taken.
pub(crate) fn run_due(unit: &mut Unit<'_>) -> Result<usize, StoreError> {
    store::older::make_up(unit.database, unit.now)?;
    quote::lapse(unit, STEPS_MAX)?;
    trade::run_due(unit, STEPS_MAX)?;
    let taken = simulated::run_due(unit, STEPS_MAX)?
        + payment::lapse(unit, STEPS_MAX)?
        + subscription::run_due(unit, STEPS_MAX)?
        + invoice::run_due(unit, STEPS_MAX)?
        + automation::run_due(unit, STEPS_MAX)?
        + event::run_due(unit)?;
    store::api_key::forget_nonces(unit.database, unit.now)?;
    store::idempotency::forget_over(unit.database, unit.now)?;
    store::session::delete_over(unit.database, unit.now)?;
    Ok(taken)
}
