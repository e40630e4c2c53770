//! Booked transfers whose authorization another transaction executes after a reorganisation.

use alloy_primitives::B256;
use settlekit_core::account::Direction;
use settlekit_core::payment::TransactionStatus;

use super::superseded;
use crate::store;
use crate::store::authorization::Authorized;
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::store::transfer_index::TransferIndex;
use crate::unit::Unit;

/// Gives the place of a booked transfer that a reorganisation took away to another transfer, which executes the same authorization: a
/// token executes it once, so both are the same money. Everybody who booked the first one has the other one then, also as a withdrawal: the
/// payer's wallet may be a merchant's own.
pub(super) fn take_place(
    unit: &mut Unit<'_>,
    authorized: &Authorized,
    (hash, index): (B256, TransferIndex),
) -> Result<(), StoreError> {
    let booked = store::authorization::take_booked_transfer(unit.database, authorized.id)?;
    let Some((booked_hash, booked_index)) = booked else {
        return Ok(());
    };
    let (hash, to) = (format!("{hash:#x}"), format!("{:#x}", authorized.to));
    let (chain, from) = (authorized.chain, authorized.payer.to_string());
    let is_as_signed = |seen: &Seen| {
        (seen.from_address.as_ref(), &seen.to_address) == (Some(&from), &to)
            && (&seen.currency, seen.units) == (&authorized.currency, authorized.units)
    };
    let named = (chain, booked_hash.as_str());
    let mut booked = store::transaction::lock_transfers(unit.database, named, &to)?;
    booked.extend(store::transaction::lock_withdrawals(
        unit.database,
        named,
        &to,
    )?);
    for seen in booked {
        if seen.transfer != booked_index || !seen.is_lost() || !is_as_signed(&seen) {
            continue;
        }
        let of = (seen.organisation, &seen.direction);
        let other = store::transaction::lock(unit.database, of, (chain, &hash), index)?;
        let is_pending = |other: &Seen| other.status == TransactionStatus::Pending;
        let is_of_payout =
            |other: &Seen| other.direction == Direction::Out && other.payment.is_some();
        match other {
            // It is booked, too, and has its block again.
            Some(other) if other.is_lost() && is_as_signed(&other) => continue,
            // It was in a block before the booked one.
            Some(other) if is_pending(&other) && !is_of_payout(&other) => {
                superseded::lost(unit, other)?;
            }
            // Executed again in another block, the transaction has another transfer at this position. A payout's may come at another one.
            Some(other) => store::transaction::free_position(unit.database, other.id)?,
            None => {}
        }
        store::transaction::set_position(unit.database, seen.id, (&hash, index))?;
        let movement = (seen.organisation, seen.movement);
        store::movement::set_transaction(unit.database, movement.0, movement.1, chain, &hash)?;
    }
    Ok(())
}
