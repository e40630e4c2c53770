//! The signing of transactions, and the fees that they offer.

use alloy_primitives::{Address, U256};

use crate::evm::key::{Key, Seed};
use crate::evm::transaction::{self, Call, Gas};
use crate::secret::context;
use crate::store;
use crate::store::connection::Connected;
use crate::store::outgoing::{Attempt, Outgoing, Status};
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Whether the operator's own money pays for gas: what else lies in the hot wallet is the merchants'.
pub(super) fn pays_gas(
    unit: &mut Unit<'_>,
    connected: &Connected,
    limit: u64,
) -> Result<bool, StoreError> {
    let known = store::chain::find(unit.database, connected.chain)?
        .ok_or_else(|| StoreError::Damaged("a connected chain is unknown".to_owned()))?;
    let native = &known.chain.native_currency_symbol;
    let own = store::holding::operator_balance(unit.database, connected.chain, native)?;
    Ok(max_fee(connected).saturating_mul(i128::from(limit)) <= own)
}

/// The most wei per gas now. The base fee can double in six blocks before the transaction has to wait.
fn max_fee(connected: &Connected) -> i128 {
    connected
        .base_fee
        .saturating_mul(2)
        .saturating_add(connected.priority_fee)
}

/// Signs a transaction, with higher fees than before if it was signed already. It is [`Status::Signed`] then.
pub(super) fn sign(
    unit: &mut Unit<'_>,
    connected: &Connected,
    outgoing: &mut Outgoing,
) -> Result<(), StoreError> {
    let broken = |what: &str| StoreError::Broken(format!("an outgoing transaction has no {what}"));
    let nonce = outgoing.nonce.ok_or_else(|| broken("nonce"))?;
    let limit = outgoing.gas_limit.ok_or_else(|| broken("gas limit"))?;
    let before = store::outgoing::latest_attempt(unit.database, outgoing.id)?;
    let (number, max_fee, priority_fee) = match &before {
        None => (1, 0, 0),
        // Nodes ask for a tenth more; an eighth leaves room for rounding.
        Some(before) => (
            before.number + 1,
            raised(before.max_fee),
            raised(before.priority_fee),
        ),
    };
    let priority_fee = connected.priority_fee.max(priority_fee);
    let connected = Connected {
        priority_fee,
        ..connected.clone()
    };
    let gas = Gas {
        limit,
        max_fee: self::max_fee(&connected).max(max_fee).unsigned_abs(),
        priority_fee: priority_fee.unsigned_abs(),
    };
    let key = key(unit, outgoing.sender)?;
    let call = Call {
        to: outgoing.to,
        value: U256::from(outgoing.value.unsigned_abs()),
        data: outgoing.data.clone(),
    };
    let signed = transaction::sign(&key, (outgoing.chain, nonce), gas, &call);
    let attempt = Attempt {
        transaction: outgoing.id,
        number,
        hash: signed.hash,
        signed: signed.bytes.into(),
        max_fee: i128::try_from(gas.max_fee).unwrap_or(i128::MAX),
        priority_fee: i128::try_from(gas.priority_fee).unwrap_or(i128::MAX),
    };
    store::outgoing::insert_attempt(unit.database, &attempt, unit.now)?;
    outgoing.status = Status::Signed;
    Ok(())
}

fn raised(fee: i128) -> i128 {
    fee.saturating_add(fee / 8).saturating_add(1)
}

/// The key of a hot wallet.
fn key(unit: &mut Unit<'_>, address: Address) -> Result<Key, StoreError> {
    let wallet = store::wallet::find(unit.database, address)?
        .ok_or_else(|| StoreError::Damaged("a hot wallet is missing".to_owned()))?;
    let context = context::wallet(&format!("{address:#x}"));
    let seed = unit
        .open(&context, &wallet.seed)
        .and_then(|seed| Seed::try_from(seed).ok());
    let key = seed.and_then(|seed| Key::derive(&seed, wallet.derivation_index));
    key.filter(|key| key.address() == address).ok_or_else(|| {
        StoreError::Damaged("a hot wallet's seed does not give its address".to_owned())
    })
}
