//! Derived addresses: the pay-in addresses of managed accounts on chains without the factory of proxy wallets.
//!
//! The key of each comes from the hot wallet's seed, so that its money is swept by a transaction that the address signs itself. Of a
//! token, the hot wallet sends the gas money first. What the network takes is the operator's, as for every transaction of the
//! service: what a sweep of native coins leaves behind or pays as gas is the operator's from then on, and as much of the operator's
//! money in the hot wallet becomes the merchants'.

use std::time::Duration;

use alloy_primitives::{Address, U256};
use settlekit_core::error::Reason;
use settlekit_core::value::{ChainId, Currency};

use super::holdings::Followed;
use super::{queue, sign};
use crate::evm::call;
use crate::evm::key::Key;
use crate::evm::transaction::Call;
use crate::store;
use crate::store::connection::Connected;
use crate::store::derived_address::{DerivedAddress, Unswept};
use crate::store::holding::{self, Cause, HeldTransfer, Holding};
use crate::store::outgoing::{Outgoing, Purpose};
use crate::store::sql::StoreError;
use crate::store::wallet::Wallet;
use crate::unit::{Outcome, Refusal, Unit};

/// Money that stays at its address, because it is too little or its token refuses, is looked at again after this time.
const RETRY_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// Sweeps under way per chain.
const SWEEPS_MAX: u32 = 20;

/// About what a transfer of native coins takes, the margin included.
const TRANSFER_GAS: u64 = 27_000;

/// About what a transfer of a token takes, if no node says.
const TOKEN_GAS: u64 = 100_000;

/// Native coins are swept if they are worth this many times the gas. A tenth of each deposit is not given to the network.
const COINS_MIN: i128 = 10;

/// What a native sweep leaves for its gas, in percent of what the gas may cost: a rollup takes more for the chain below.
const COINS_LEFT: i128 = 125;

/// Gas money, in percent of what the gas may cost: fees may rise until it is there.
const GAS_MONEY: i128 = 125;

/// A derived address of the hot wallet in use.
pub(super) fn new_address(unit: &mut Unit<'_>, chain: ChainId) -> Outcome<String> {
    let wallet = store::wallet::current(unit.database)?;
    let wallet = wallet.ok_or_else(|| StoreError::Broken("there is no hot wallet".to_owned()))?;
    if wallet.is_external {
        return Err(Refusal::because(
            Reason::NotSupported,
            format!(
                "chain {chain} lacks the factory of proxy wallets, and the key of the hot wallet is with an external signer: \
                 no address can be made"
            ),
        ));
    }
    let seed = sign::seed_of(unit, &wallet)?;
    loop {
        let index = store::derived_address::take_index(unit.database)?;
        // A few indexes in 2^127 have no key.
        let Some(key) = Key::derive_pay_in(&seed, index) else {
            continue;
        };
        let derived = DerivedAddress {
            address: key.address(),
            wallet: wallet.address,
            index,
        };
        store::derived_address::insert(unit.database, &derived)?;
        return Ok(derived.address.to_string());
    }
}

/// The key of an address, if it is a derived one.
pub(super) fn key(unit: &mut Unit<'_>, address: Address) -> Result<Option<Key>, StoreError> {
    let Some(derived) = store::derived_address::find(unit.database, address)? else {
        return Ok(None);
    };
    let damaged = |what: &str| StoreError::Damaged(format!("the hot wallet of {address} {what}"));
    let wallet: Option<Wallet> = store::wallet::find(unit.database, derived.wallet)?;
    let seed = sign::seed_of(unit, &wallet.ok_or_else(|| damaged("is missing"))?)?;
    let key = Key::derive_pay_in(&seed, derived.index);
    let key = key.filter(|key| key.address() == address);
    key.ok_or_else(|| damaged("does not give its key"))
        .map(Some)
}

fn is_derived(unit: &mut Unit<'_>, address: Address) -> Result<bool, StoreError> {
    Ok(store::derived_address::find(unit.database, address)?.is_some())
}

/// Queues sweeps of the money at derived addresses that is due, or would be within some time. Dust stays where it is: its gas
/// would cost more than it is worth, and anybody can send it.
pub(super) fn queue_due(
    unit: &mut Unit<'_>,
    connected: &Connected,
    (hot_wallet, within): (Address, Duration),
) -> Result<(), StoreError> {
    let chain = connected.chain;
    let until = unit.now.plus(within);
    let due = store::derived_address::unswept(unit.database, chain, until, SWEEPS_MAX)?;
    if due.is_empty() {
        return Ok(());
    }
    let mut under_way = store::outgoing::count_derived_sweeps(unit.database, chain)?;
    for unswept in due {
        if under_way >= SWEEPS_MAX {
            break;
        }
        let (address, currency) = (unswept.address, &unswept.currency);
        let again = unit.now.plus(RETRY_AFTER);
        store::holding::set_sweep_at(unit.database, chain, (address, currency), again)?;
        let sender = (chain, address);
        if store::outgoing::is_sweeping_derived(unit.database, sender, currency)? {
            continue;
        }
        let token = queue::token_of(unit, chain, currency)?;
        let units = swept_units(unit, sender, (currency, token))?;
        if units <= 0 || is_dust(unit, connected, &unswept, (token, units))? {
            continue;
        }
        let call = call::send(token, hot_wallet, U256::from(units.unsigned_abs()));
        let out = (currency, units);
        queue::add(unit, sender, Purpose::SweepDerived, &call, out)?;
        under_way += 1;
    }
    Ok(())
}

/// What a sweep of a currency would take from an address. The operator's own coins there pay for gas; of a token all goes on.
fn swept_units(
    unit: &mut Unit<'_>,
    (chain, address): (ChainId, Address),
    (currency, token): (&Currency, Option<Address>),
) -> Result<i128, StoreError> {
    if token.is_none() {
        return sign::free(unit, (chain, address), currency);
    }
    let held = store::holding::of(unit.database, chain, (address, currency))?;
    let reserved = store::outgoing::reserved(unit.database, (address, chain), currency)?;
    Ok(held - reserved.units)
}

/// Whether what a queued sweep takes is still there.
pub(super) fn is_there(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<bool, StoreError> {
    let sender = (outgoing.chain, outgoing.sender);
    let token = queue::token_of(unit, outgoing.chain, &outgoing.currency)?;
    Ok(swept_units(unit, sender, (&outgoing.currency, token))? >= outgoing.units)
}

/// What a sweep of a token moves of the operator's own: somebody paid the address on a chain that it was not given for.
pub(super) fn moved_with_sweep(
    unit: &mut Unit<'_>,
    transfer: &HeldTransfer,
) -> Result<Vec<(Holding, Cause)>, StoreError> {
    let (chain, from, currency) = (transfer.chain, transfer.from, &transfer.currency);
    if *currency == sign::native(unit, chain)? {
        return Ok(Vec::new());
    }
    let own = store::holding::operator_balance_at(unit.database, chain, (from, currency))?;
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

/// Whether money is too little to be swept now. Native coins are compared with the gas; of tokens less than one whole unit is dust,
/// unless an operator sweeps all.
fn is_dust(
    unit: &mut Unit<'_>,
    connected: &Connected,
    unswept: &Unswept,
    (token, units): (Option<Address>, i128),
) -> Result<bool, StoreError> {
    let is_asked_for = unswept.sweep_at == holding::at_once();
    if token.is_none() {
        let gas = gas_cost(connected, TRANSFER_GAS);
        let least = if is_asked_for { 2 } else { COINS_MIN };
        return Ok(units < gas.saturating_mul(least));
    }
    let asset = store::chain::asset(unit.database, connected.chain, &unswept.currency)?;
    let asset = asset.ok_or_else(|| StoreError::Damaged("a chain lacks an asset".to_owned()))?;
    let whole = 10_i128.checked_pow(asset.scale).unwrap_or(i128::MAX);
    Ok(units < whole && !is_asked_for)
}

fn gas_cost(connected: &Connected, gas: u64) -> i128 {
    sign::max_fee(connected).saturating_mul(i128::from(gas))
}

/// Whether an address can be swept with the gas that a node asks for. If it lacks the gas money, the hot wallet sends it first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readiness {
    /// It can be signed; the amount of a native sweep is set.
    Ready,
    /// It waits for gas money.
    Waits,
    /// What is there pays no sweep any more.
    Dust,
}

pub(super) fn prepare(
    unit: &mut Unit<'_>,
    connected: &Connected,
    outgoing: &mut Outgoing,
    limit: u64,
) -> Result<Readiness, StoreError> {
    let gas = gas_cost(connected, limit);
    let sender = (outgoing.chain, outgoing.sender);
    if outgoing.value == 0 {
        if has_gas(unit, sender, gas)? {
            return Ok(Readiness::Ready);
        }
        add_gas_money(unit, connected, outgoing.sender, gas)?;
        return Ok(Readiness::Waits);
    }
    // The operator's coins at the address pay first, and of the merchants' those that are swept.
    let found = at(unit, sender)?;
    let own_free = found.own.saturating_sub(found.gas).max(0);
    let coins = found.held - found.units - found.own.max(found.gas);
    let kept = gas.saturating_mul(COINS_LEFT) / 100;
    let value = coins - kept.saturating_sub(own_free).max(0);
    if value <= 0 || value < coins / 2 {
        return Ok(Readiness::Dust);
    }
    (outgoing.units, outgoing.value) = (coins, value);
    Ok(Readiness::Ready)
}

/// The native coins at an address.
struct Coins {
    held: i128,
    /// The operator's among them.
    own: i128,
    /// What transactions under way take, beside their gas.
    units: i128,
    /// The gas of transactions under way.
    gas: i128,
}

fn at(unit: &mut Unit<'_>, (chain, address): (ChainId, Address)) -> Result<Coins, StoreError> {
    let native = sign::native(unit, chain)?;
    let held = store::holding::of(unit.database, chain, (address, &native))?;
    let own = store::holding::operator_balance_at(unit.database, chain, (address, &native))?;
    let reserved = store::outgoing::reserved(unit.database, (address, chain), &native)?;
    Ok(Coins {
        held,
        own: own.max(0),
        units: reserved.units,
        gas: reserved.gas,
    })
}

/// Whether the coins at an address pay for gas, beside what transactions under way take. They may be the merchants': the operator
/// makes up for it when the gas is paid.
fn has_gas(unit: &mut Unit<'_>, sender: (ChainId, Address), gas: i128) -> Result<bool, StoreError> {
    let found = at(unit, sender)?;
    Ok(found.held - found.units - found.gas >= gas)
}

/// Whether a derived address can pay for gas, `None` for another address. If it lacks the gas money, the hot wallet sends it.
pub(super) fn pays_gas(
    unit: &mut Unit<'_>,
    connected: &Connected,
    address: Address,
    gas: i128,
) -> Result<Option<bool>, StoreError> {
    if !is_derived(unit, address)? {
        return Ok(None);
    }
    if has_gas(unit, (connected.chain, address), gas)? {
        return Ok(Some(true));
    }
    add_gas_money(unit, connected, address, gas)?;
    Ok(Some(false))
}

/// Queues gas money for a derived address that a node calls too poor for what it is to do. Nothing is added to gas money that is under
/// way, nor to what lies there for twice as much: a node may lie.
pub(super) fn is_too_poor(
    unit: &mut Unit<'_>,
    connected: &Connected,
    address: Address,
    gas: Option<i128>,
) -> Result<(), StoreError> {
    let gas = gas.unwrap_or_else(|| gas_cost(connected, TOKEN_GAS));
    if !is_derived(unit, address)? {
        return Ok(());
    }
    let found = at(unit, (connected.chain, address))?;
    if found.held - found.units >= gas.saturating_mul(2) {
        return Ok(());
    }
    send_gas_money(unit, (connected.chain, address), gas)
}

/// Queues what an address lacks for gas.
fn add_gas_money(
    unit: &mut Unit<'_>,
    connected: &Connected,
    address: Address,
    gas: i128,
) -> Result<(), StoreError> {
    let found = at(unit, (connected.chain, address))?;
    let there = found.held - found.units - found.gas;
    let wanted = gas.saturating_mul(GAS_MONEY) / 100;
    send_gas_money(unit, (connected.chain, address), wanted - there.max(0))
}

fn send_gas_money(
    unit: &mut Unit<'_>,
    (chain, address): (ChainId, Address),
    units: i128,
) -> Result<(), StoreError> {
    let at = (chain, address);
    if units <= 0 || store::outgoing::is_gas_money_sent(unit.database, at)? {
        return Ok(());
    }
    let Some(wallet) = store::wallet::current(unit.database)? else {
        return Ok(());
    };
    let native = sign::native(unit, chain)?;
    let call = Call {
        to: address,
        value: U256::from(units.unsigned_abs()),
        data: Default::default(),
    };
    let sender = (chain, wallet.address);
    queue::add(unit, sender, Purpose::GasMoney, &call, (&native, 0))
}

/// Whether a transfer is gas money of this service: the operator's, and no deposit.
pub(super) fn is_gas_money(
    unit: &mut Unit<'_>,
    followed: &Followed,
    transfer: &HeldTransfer,
) -> Result<bool, StoreError> {
    if !followed.is_hot(transfer.from) || !followed.is_derived(transfer.to) {
        return Ok(false);
    }
    let sent = store::outgoing::by_hash(unit.database, transfer.hash)?;
    Ok(sent.is_some_and(|sent| sent.purpose() == Purpose::GasMoney && sent.to == transfer.to))
}

/// What the network's fee for a transaction of a derived address changes of the operator's money. Of a native sweep, the coins that
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
    let own = store::holding::operator_balance_at(unit.database, chain, (address, native))?;
    let after = own - fee.units + kept;
    let bought = kept + after.min(0).saturating_neg();
    if bought > 0
        && let Some(wallet) = store::wallet::current(unit.database)?
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

/// A derived address that is free on one more chain, among those of other chains.
pub(super) fn shared(
    unit: &mut Unit<'_>,
    chain: ChainId,
    (hot_wallet, addresses): (Address, &[Address]),
) -> Result<Option<String>, StoreError> {
    for derived in store::derived_address::among(unit.database, addresses)? {
        let address = derived.address.to_string();
        let is_free = !store::account::is_known(unit.database, chain, &address)?;
        if is_free && derived.wallet == hot_wallet {
            return Ok(Some(address));
        }
    }
    Ok(None)
}
