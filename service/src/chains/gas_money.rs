//! Gas money: native coins of the operator's at derived addresses, for the gas of their sweeps.

use alloy_primitives::{Address, U256};
use settlekit_core::value::ChainId;

use super::queue;
use crate::evm::transaction::Call;
use crate::store;
use crate::store::held_transfer::HeldTransfer;
use crate::store::holding::Holding;
use crate::store::operator_entry::Cause;
use crate::store::outgoing::Purpose;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Gas money, in percent of the highest cost of the gas: fees may rise until it arrives.
const GAS_MONEY: i128 = 125;

/// The native coins at an address.
pub(super) struct Coins {
    pub(super) held: i128,
    /// The operator's among them.
    pub(super) own: i128,
    /// The sum that transactions under way take, without their gas.
    pub(super) units: i128,
    /// The gas of transactions under way.
    pub(super) gas: i128,
}

pub(super) fn coins_at(
    unit: &mut Unit<'_>,
    (chain, address): (ChainId, Address),
) -> Result<Coins, StoreError> {
    let native = queue::native_of(unit, chain)?;
    let held = store::holding::held_units(unit.database, chain, (address, &native))?;
    let own = store::operator_entry::balance_at(unit.database, chain, (address, &native))?;
    let reserved = store::outgoing_open::reserved(unit.database, (address, chain), &native)?;
    Ok(Coins {
        held,
        own: own.max(0),
        units: reserved.units,
        gas: reserved.gas,
    })
}

/// Whether the coins at an address pay for gas, beside what transactions under way take. They may be the merchants': the operator
/// makes up for it when the gas is paid.
pub(super) fn has_gas(
    unit: &mut Unit<'_>,
    sender: (ChainId, Address),
    gas: i128,
) -> Result<bool, StoreError> {
    let found = coins_at(unit, sender)?;
    Ok(found.held - found.units - found.gas >= gas)
}

/// Whether a derived address can pay for gas, `None` for another address. If it lacks the gas money, the hot wallet sends it.
pub(super) fn pays_gas(
    unit: &mut Unit<'_>,
    sender: (ChainId, Address),
    gas: i128,
) -> Result<Option<bool>, StoreError> {
    if !is_derived(unit, sender.1)? {
        return Ok(None);
    }
    if has_gas(unit, sender, gas)? {
        return Ok(Some(true));
    }
    add(unit, sender, gas)?;
    Ok(Some(false))
}

fn is_derived(unit: &mut Unit<'_>, address: Address) -> Result<bool, StoreError> {
    Ok(store::derived_address::find(unit.database, address)?.is_some())
}

/// Queues gas money for a derived address that has too little for its transaction, as a node says. Nothing is added to pending gas
/// money, nor to coins that would pay twice: a node may lie.
pub(super) fn add_for_poor(
    unit: &mut Unit<'_>,
    sender: (ChainId, Address),
    gas: i128,
) -> Result<(), StoreError> {
    if !is_derived(unit, sender.1)? {
        return Ok(());
    }
    let found = coins_at(unit, sender)?;
    if found.held - found.units >= gas.saturating_mul(2) {
        return Ok(());
    }
    send(unit, sender, gas)
}

/// Queues the gas money that a derived address lacks.
pub(super) fn add(
    unit: &mut Unit<'_>,
    sender: (ChainId, Address),
    gas: i128,
) -> Result<(), StoreError> {
    let found = coins_at(unit, sender)?;
    let there = found.held - found.units - found.gas;
    let wanted = gas.saturating_mul(GAS_MONEY) / 100;
    send(unit, sender, wanted - there.max(0))
}

fn send(
    unit: &mut Unit<'_>,
    (chain, address): (ChainId, Address),
    units: i128,
) -> Result<(), StoreError> {
    let at = (chain, address);
    if units <= 0 || store::outgoing_open::is_gas_money_sent(unit.database, at)? {
        return Ok(());
    }
    let Some(wallet) = store::wallet::current_wallet(unit.database)? else {
        return Ok(());
    };
    let native = queue::native_of(unit, chain)?;
    let call = Call {
        to: address,
        value: U256::from(units.unsigned_abs()),
        data: Default::default(),
    };
    let sender = (chain, wallet.address);
    queue::add(unit, sender, Purpose::GasMoney, &call, (&native, 0)).map(drop)
}

/// Whether a transfer from a hot wallet to a derived address is gas money: the operator's, and no deposit.
pub(super) fn is_gas_money(
    unit: &mut Unit<'_>,
    transfer: &HeldTransfer,
) -> Result<bool, StoreError> {
    let sent = store::outgoing::by_hash(unit.database, transfer.hash)?;
    Ok(sent.is_some_and(|sent| sent.purpose() == Purpose::GasMoney && sent.to == transfer.to))
}

/// The changes of the operator's money by the network fee for a transaction of a derived address. Of a native sweep, the coins that
/// did not arrive are the operator's from now on; the hot wallet's gas money makes up for them, and for gas that merchants' coins
/// have paid.
pub(super) fn fee_changes(
    unit: &mut Unit<'_>,
    fee: &HeldTransfer,
) -> Result<Vec<(Holding, Cause)>, StoreError> {
    let (chain, address, native) = (fee.chain, fee.from, &fee.currency);
    let change = |address, units| Holding {
        address,
        currency: native.clone(),
        units,
    };
    let mut changes = vec![(change(address, -fee.units), Cause::NetworkFee)];
    let kept = kept_by_sweep(unit, fee)?;
    let own = store::operator_entry::balance_at(unit.database, chain, (address, native))?;
    let after = own - fee.units + kept;
    let bought = kept + after.min(0).saturating_neg();
    if bought > 0
        && let Some(wallet) = store::wallet::current_wallet(unit.database)?
    {
        changes.push((change(address, bought), Cause::GasMoney));
        changes.push((change(wallet.address, -bought), Cause::GasMoney));
    }
    Ok(changes)
}

/// The merchants' coins that a native sweep did not send.
fn kept_by_sweep(unit: &mut Unit<'_>, fee: &HeldTransfer) -> Result<i128, StoreError> {
    let Some(sent) = store::outgoing::by_hash(unit.database, fee.hash)? else {
        return Ok(0);
    };
    let is_native = sent.purpose() == Purpose::SweepDerived && sent.value > 0;
    if !is_native || sent.succeeded != Some(true) {
        return Ok(0);
    }
    let form = store::outgoing_attempt::find(unit.database, sent.id, fee.hash)?;
    let is_sweep = form.is_some_and(|form| !form.is_filler);
    Ok(if is_sweep { sent.units - sent.value } else { 0 })
}

/// The part of a token sweep that is the operator's: somebody paid the address on a chain that it was not given for.
pub(super) fn moved_with_sweep(
    unit: &mut Unit<'_>,
    transfer: &HeldTransfer,
) -> Result<Vec<(Holding, Cause)>, StoreError> {
    let (chain, from, currency) = (transfer.chain, transfer.from, &transfer.currency);
    if *currency == queue::native_of(unit, chain)? {
        return Ok(Vec::new());
    }
    let own = store::operator_entry::balance_at(unit.database, chain, (from, currency))?;
    let moved = own.min(transfer.units);
    if moved <= 0 {
        return Ok(Vec::new());
    }
    let changes = [(from, -moved), (transfer.to, moved)];
    let change = |(address, units)| Holding {
        address,
        currency: currency.clone(),
        units,
    };
    Ok(changes.map(|one| (change(one), Cause::Unassigned)).to_vec())
}
