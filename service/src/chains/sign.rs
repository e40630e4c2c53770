//! The signing of transactions, and the fees that they offer.

use alloy_primitives::{Address, U256};
use settlekit_core::value::{ChainId, Currency};

use crate::evm::key::{Key, Seed};
use crate::evm::transaction::{self, Call, Gas};
use crate::secret::context;
use crate::store;
use crate::store::connection::Connected;
use crate::store::outgoing::{Attempt, Outgoing, Status};
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// A replacement offers at most so many times the fee of now: a chain that takes nothing is not paid more and more.
const REPLACEMENT_MAX: i128 = 10;

/// Whether the wallet can pay now: the operator's money for the gas, and the merchants' for what leaves it.
pub(super) fn is_affordable(
    unit: &mut Unit<'_>,
    connected: &Connected,
    outgoing: &Outgoing,
    limit: u64,
) -> Result<bool, StoreError> {
    let gas = max_fee(connected).saturating_mul(i128::from(limit));
    Ok(pays_gas(unit, connected, outgoing.sender, gas)? && is_covered(unit, outgoing)?)
}

/// Whether the wallet holds what leaves it, beside what others that are under way take, and without the operator's own money.
pub(super) fn is_covered(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<bool, StoreError> {
    if outgoing.units == 0 {
        return Ok(true);
    }
    let (chain, wallet, currency) = (outgoing.chain, outgoing.sender, &outgoing.currency);
    let held = store::holding::of(unit.database, chain, (wallet, currency))?;
    let own = store::holding::operator_balance(unit.database, chain, currency)?.max(0);
    let reserved = store::outgoing::reserved(unit.database, (wallet, chain), currency)?;
    let free = held.saturating_sub(own).saturating_sub(reserved.units);
    Ok(free >= outgoing.units)
}

/// Whether the operator's own money pays for gas, beside that of what is under way: what else lies in the hot wallet is the
/// merchants'.
fn pays_gas(
    unit: &mut Unit<'_>,
    connected: &Connected,
    wallet: Address,
    gas: i128,
) -> Result<bool, StoreError> {
    let native = native(unit, connected.chain)?;
    let own = store::holding::operator_balance(unit.database, connected.chain, &native)?;
    let reserved = store::outgoing::reserved(unit.database, (wallet, connected.chain), &native)?;
    Ok(reserved.gas.saturating_add(gas) <= own)
}

fn native(unit: &mut Unit<'_>, chain: ChainId) -> Result<Currency, StoreError> {
    let known = store::chain::find(unit.database, chain)?;
    let known =
        known.ok_or_else(|| StoreError::Damaged("a connected chain is unknown".to_owned()))?;
    Ok(known.chain.native_currency_symbol)
}

/// The most wei per gas now. The base fee can double in six blocks before the transaction has to wait.
fn max_fee(connected: &Connected) -> i128 {
    connected
        .base_fee
        .saturating_mul(2)
        .saturating_add(connected.priority_fee)
}

/// Signs a transaction with the fees of now. It is [`Status::Signed`] then.
pub(super) fn sign(
    unit: &mut Unit<'_>,
    connected: &Connected,
    outgoing: &mut Outgoing,
) -> Result<(), StoreError> {
    let fees = Fees {
        number: 1,
        max_fee: max_fee(connected),
        priority_fee: connected.priority_fee,
    };
    sign_with(unit, outgoing, fees)
}

/// Signs a replacement of a stuck transaction, with higher fees, unless they would be absurd or the operator cannot pay them: the
/// old bytes stay then.
pub(super) fn replace(
    unit: &mut Unit<'_>,
    connected: &Connected,
    outgoing: &mut Outgoing,
) -> Result<(), StoreError> {
    outgoing.status = Status::Signed;
    let Some(before) = store::outgoing::latest_attempt(unit.database, outgoing.id)? else {
        return Err(StoreError::Damaged(
            "a sent transaction has no bytes".to_owned(),
        ));
    };
    let fees = Fees {
        number: before.number + 1,
        max_fee: raised(before.max_fee).max(max_fee(connected)),
        priority_fee: raised(before.priority_fee).max(connected.priority_fee),
    };
    let is_absurd = fees.max_fee > max_fee(connected).saturating_mul(REPLACEMENT_MAX);
    let limit = i128::from(outgoing.gas_limit.unwrap_or(0));
    let more = fees.max_fee.saturating_sub(before.max_fee);
    if is_absurd || !pays_gas(unit, connected, outgoing.sender, more.saturating_mul(limit))? {
        return Ok(());
    }
    sign_with(unit, outgoing, fees)
}

/// What an attempt offers.
struct Fees {
    /// Its number, from 1.
    number: u32,
    max_fee: i128,
    priority_fee: i128,
}

fn sign_with(unit: &mut Unit<'_>, outgoing: &mut Outgoing, fees: Fees) -> Result<(), StoreError> {
    let broken = |what: &str| StoreError::Broken(format!("an outgoing transaction has no {what}"));
    let nonce = outgoing.nonce.ok_or_else(|| broken("nonce"))?;
    let limit = outgoing.gas_limit.ok_or_else(|| broken("gas limit"))?;
    let gas = Gas {
        limit,
        max_fee: fees.max_fee.unsigned_abs(),
        priority_fee: fees.priority_fee.unsigned_abs(),
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
        number: fees.number,
        hash: signed.hash,
        signed: signed.bytes.into(),
        max_fee: fees.max_fee,
        priority_fee: fees.priority_fee,
    };
    store::outgoing::insert_attempt(unit.database, &attempt, unit.now)?;
    outgoing.status = Status::Signed;
    Ok(())
}

/// Nodes ask for a tenth more; an eighth leaves room for rounding.
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
