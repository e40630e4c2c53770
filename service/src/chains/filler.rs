//! Fillers: empty transfers that use the nonce of an abandoned transaction. All later transactions of its wallet wait for the nonce.

use alloy_primitives::U256;

use super::node_request::NodeRequest;
use super::payer_fee;
use crate::store;
use crate::store::outgoing::Outgoing;
use crate::store::outgoing_attempt::Attempt;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Whether a filler may take the place of a transaction: it is the one that the others wait for, and no filler itself, which is
/// replaced as others are.
pub(super) fn may_abandon(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<bool, StoreError> {
    let wallet = (outgoing.sender, outgoing.chain);
    let lowest = store::outgoing_open::lowest_nonce(unit.database, wallet)?;
    Ok(lowest == outgoing.nonce && !latest_attempt(unit, outgoing)?.is_filler)
}

/// Whether a transaction costs more at a fee per gas than the operator pays for it.
pub(super) fn is_too_dear(
    unit: &mut Unit<'_>,
    outgoing: &Outgoing,
    fee: impl FnOnce(&Attempt) -> i128,
) -> Result<bool, StoreError> {
    let latest = latest_attempt(unit, outgoing)?;
    let cost = fee(&latest).saturating_mul(i128::from(latest.gas_limit));
    payer_fee::is_too_dear(unit, outgoing, cost)
}

/// The estimate of a filler.
pub(super) fn filler_estimate(outgoing: &Outgoing) -> NodeRequest {
    NodeRequest::Estimate {
        id: outgoing.id,
        from: outgoing.sender,
        to: outgoing.sender,
        value: U256::ZERO,
        data: Vec::new(),
    }
}

pub(super) fn latest_attempt(
    unit: &mut Unit<'_>,
    outgoing: &Outgoing,
) -> Result<Attempt, StoreError> {
    store::outgoing_attempt::latest_attempt(unit.database, outgoing.id)?
        .ok_or_else(|| StoreError::Damaged("a signed transaction has no signed bytes".to_owned()))
}
