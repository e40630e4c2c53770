//! An operator raises the fee of a transaction under way.

use super::sign;
use crate::store;
use crate::store::outgoing::Status;
use crate::unit::{Outcome, Refusal, Unit};

/// Replaces the signed form with a number by one with a higher fee, which is broadcast next.
///
/// The number says which form was meant, so that two operators, or a repeated click, raise the fee once.
pub(crate) fn raise_fee(unit: &mut Unit<'_>, id: i64, attempt: i64) -> Outcome<()> {
    let found = store::outgoing::lock(unit.database, id)?;
    let mut outgoing = found.ok_or_else(|| Refusal::not_found("transaction"))?;
    if !matches!(outgoing.status, Status::Signed | Status::Sent) {
        return Err(Refusal::state_forbids(
            "only a transaction that is signed and in no block can be replaced",
        ));
    }
    let connected = store::connection::find(unit.database, outgoing.chain)?;
    let Some(connected) = connected.filter(|connected| !connected.paused) else {
        return Err(Refusal::state_forbids(
            "the chain is paused: resume it first",
        ));
    };
    let latest = store::outgoing_attempt::latest_attempt(unit.database, id)?;
    if latest.is_none_or(|latest| i64::from(latest.number) != attempt) {
        return Err(Refusal::state_forbids(
            "the fee was raised since the transaction was read",
        ));
    }
    let wallet = (outgoing.sender, outgoing.chain);
    let lowest = store::outgoing_open::lowest_nonce(unit.database, wallet)?;
    if lowest != outgoing.nonce {
        return Err(Refusal::state_forbids(format!(
            "the network waits for nonce {} first: raise the fee of that transaction",
            lowest.unwrap_or_default()
        )));
    }
    if !sign::replace(unit, &connected, &mut outgoing)? {
        return Err(Refusal::state_forbids(
            "the fee stays: a higher one is more than ten times the fee of now, or more than the gas money pays",
        ));
    }
    store::outgoing::update(unit.database, &outgoing, Some(unit.now), unit.now)?;
    Ok(())
}
