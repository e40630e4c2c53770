//! Reorganises the block of a transaction.

use settlekit_core::payment::{CryptoTransaction, TransactionStatus};
use settlekit_core::sandbox::ReorganiseChain;

use crate::chains::simulated;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn reorganise_chain(
    unit: &mut Unit<'_>,
    call: Received<ReorganiseChain>,
) -> Outcome<CryptoTransaction> {
    let organisation = call.caller.organisation;
    // Hashes of the simulated chain are hex in lower case.
    let hash = call.body.transaction_hash.to_ascii_lowercase();
    let returns = call.body.returns.unwrap_or(false);
    let find = |unit: &mut Unit<'_>| {
        store::transaction::lock_simulated(unit.database, organisation, &hash)
    };
    let seen = find(unit)?.ok_or_else(|| {
        Refusal::reference_unknown(
            "transaction_hash",
            "is not a transaction of the simulated chain",
        )
    })?;
    // A merchant that only watches the receiver must not undo another merchant's transfer.
    let payouts = store::payout::by_hash(unit.database, &hash)?;
    if payouts.iter().any(|(sender, _)| *sender != organisation)
        || store::transaction::is_received_by_another(unit.database, organisation, &hash)?
    {
        return Err(Refusal::state_forbids(
            "another organisation sends or receives the transaction",
        ));
    }
    let forbids = match seen.status {
        TransactionStatus::Success => {
            Some("the transaction has too many confirmations to be reverted")
        }
        TransactionStatus::Failed => Some("the transaction has already failed"),
        _ if returns && seen.confirmations == 0 => Some("the transaction is not in a block yet"),
        _ => None,
    };
    if let Some(message) = forbids {
        return Err(Refusal::state_forbids(message));
    }
    let simulation = unit.need_simulation()?;
    if !simulated::reorganise(simulation, unit, (seen.chain, &hash), returns)? {
        return Err(Refusal::state_forbids(
            "the transaction is in no block of the simulated chain that can be reverted",
        ));
    }
    let seen = find(unit)?
        .ok_or_else(|| StoreError::Damaged("a chain transaction is not there".into()))?;
    let asset = store::chain::asset(unit.database, seen.chain, &seen.currency)?
        .ok_or_else(|| StoreError::Damaged("a currency is not there".into()))?;
    Ok(seen.record(&asset)?)
}
