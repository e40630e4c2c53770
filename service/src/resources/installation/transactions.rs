//! Transactions under way.

use std::collections::BTreeMap;

use alloy_primitives::Address;
use settlekit_core::installation::{OutgoingPurpose, OutgoingTransaction, RaiseTransactionFee};
use settlekit_core::value::{Amount, ChainId, TransactionId};

use super::shown;
use crate::chains::raise_fee::raise_fee;
use crate::store;
use crate::store::outgoing_list::UnderWay;
use crate::store::sql::{Database, StoreError};
use crate::unit::{Outcome, Received, Refusal, Unit};

/// Decimal places of native coins.
const NATIVE_SCALE: u32 = 18;

/// Decimal places of gwei in wei.
const GWEI_SCALE: u32 = 9;

/// The lowest open nonce of each wallet on each chain.
pub(super) type Lowest = BTreeMap<(Address, ChainId), Option<u64>>;

pub(crate) fn raise_transaction_fee(
    unit: &mut Unit<'_>,
    call: Received<RaiseTransactionFee>,
) -> Outcome<OutgoingTransaction> {
    call.caller.need_installation_operator()?;
    let id = call.path.transaction_id.get();
    raise_fee(unit, id, call.body.attempts)?;
    let raised = store::outgoing_list::find(unit.database, id)?;
    let raised = raised.ok_or_else(|| Refusal::not_found("transaction"))?;
    Ok(show(unit.database, raised, &mut Lowest::new())?)
}

/// The oldest transaction under way of each chain that has any.
pub(crate) fn oldest(database: &mut dyn Database) -> Result<Vec<OutgoingTransaction>, StoreError> {
    let (mut oldest, mut lowest) = (Vec::new(), Lowest::new());
    for count in store::outgoing_list::counts(database)? {
        // It may have ended in between.
        if let Some(found) = store::outgoing_list::find(database, count.oldest)? {
            oldest.push(show(database, found, &mut lowest)?);
        }
    }
    Ok(oldest)
}

pub(super) fn show(
    database: &mut dyn Database,
    one: UnderWay,
    lowest: &mut Lowest,
) -> Result<OutgoingTransaction, StoreError> {
    let wallet = (one.sender, one.chain);
    let lowest = match lowest.get(&wallet) {
        Some(known) => *known,
        None => {
            let found = store::outgoing_open::lowest_nonce(database, wallet)?;
            lowest.insert(wallet, found);
            found
        }
    };
    let is_signed = matches!(one.status.as_str(), "Signed" | "Sent");
    let max_fee = one.max_fee.zip(one.gas_limit);
    let max_fee = max_fee.map(|(fee, gas)| fee.saturating_mul(i128::from(gas)));
    Ok(OutgoingTransaction {
        id: TransactionId::new(one.id)
            .ok_or_else(|| StoreError::Damaged("a transaction has no valid id".to_owned()))?,
        chain_id: one.chain,
        from: one.sender.to_string(),
        to: one.to.to_string(),
        can_raise_fee: is_signed && one.nonce.is_some() && one.nonce == lowest,
        nonce: one.nonce,
        purpose: match one.purpose.as_str() {
            // To an operator, both empty addresses into the hot wallet.
            "sweep_derived" => OutgoingPurpose::Sweep,
            purpose => purpose.into(),
        },
        status: one.status.as_str().into(),
        org_id: one.organisation,
        payment_id: one.payment,
        amount: shown(database, one.chain, (&one.currency, one.units))?,
        currency: one.currency,
        attempts: one.attempt.unwrap_or(0),
        transaction_hash: one.hash.map(|hash| hash.to_string()),
        max_fee_gwei: one
            .max_fee
            .and_then(|fee| Amount::from_units(fee, GWEI_SCALE).ok()),
        max_fee: max_fee.and_then(|fee| Amount::from_units(fee, NATIVE_SCALE).ok()),
        block_number: one.block,
        created_at: one.created_at,
        updated_at: one.updated_at,
    })
}
