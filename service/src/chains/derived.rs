//! Derived addresses: the pay-in addresses of managed accounts on chains without the factory of proxy wallets.
//!
//! The key of each comes from the hot wallet's seed, so that its money is swept by a transaction that the address signs itself.
//! For a token sweep, the hot wallet sends the gas money first. The operator pays the gas. The remainder of a native-coin sweep,
//! and its gas, become the operator's; the same amount in the hot wallet becomes the merchants'.

use std::time::Duration;

use alloy_primitives::{Address, U256};
use settlekit_core::error::Reason;
use settlekit_core::value::{ChainId, Currency};

use super::{gas_money, queue, sign};
use crate::evm::call;
use crate::evm::key::Key;
use crate::store;
use crate::store::connection::Connected;
use crate::store::derived_address::{DerivedAddress, Unswept};
use crate::store::holding;
use crate::store::outgoing::{Outgoing, Purpose};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// Money that stays at its address, because it is too little or its token refuses, is looked at again after this time.
const RETRY_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// Sweeps under way per chain.
const SWEEPS_MAX: u32 = 20;

/// Native coins are swept if they are worth this many times the gas. A tenth of each deposit is not given to the network.
const COINS_MIN: i128 = 10;

/// The amount that a native sweep leaves for its gas, in percent of the highest cost of the gas: a rollup takes more for the chain
/// below.
const COINS_LEFT: i128 = 125;

/// A derived address of the hot wallet in use.
pub(super) fn new_address(unit: &mut Unit<'_>, chain: ChainId) -> Outcome<String> {
    let wallet = store::wallet::current_wallet(unit.database)?;
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
    let mut under_way = store::outgoing_open::count_derived_sweeps(unit.database, chain)?;
    for unswept in due {
        if under_way >= SWEEPS_MAX {
            break;
        }
        let (address, currency) = (unswept.address, &unswept.currency);
        let again = unit.now.plus(RETRY_AFTER);
        store::holding::set_sweep_at(unit.database, chain, (address, currency), again)?;
        let sender = (chain, address);
        if store::outgoing_open::is_sweeping_derived(unit.database, sender, currency)? {
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

/// The amount that a sweep of a currency would take from an address. The operator's own coins there pay for gas; of a token the whole
/// balance is swept.
fn swept_units(
    unit: &mut Unit<'_>,
    (chain, address): (ChainId, Address),
    (currency, token): (&Currency, Option<Address>),
) -> Result<i128, StoreError> {
    if token.is_none() {
        return sign::available(unit, (chain, address), currency);
    }
    let held = store::holding::held_units(unit.database, chain, (address, currency))?;
    let reserved = store::outgoing_open::reserved(unit.database, (address, chain), currency)?;
    Ok(held - reserved.units)
}

/// Whether the address still holds the amount of a queued sweep.
pub(super) fn is_there(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<bool, StoreError> {
    let sender = (outgoing.chain, outgoing.sender);
    let token = queue::token_of(unit, outgoing.chain, &outgoing.currency)?;
    Ok(swept_units(unit, sender, (&outgoing.currency, token))? >= outgoing.units)
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
        let gas = connected.transfer_fee();
        let least = if is_asked_for { 2 } else { COINS_MIN };
        return Ok(units < gas.saturating_mul(least));
    }
    let asset = store::chain::asset(unit.database, connected.chain, &unswept.currency)?;
    let asset = asset.ok_or_else(|| StoreError::Damaged("a chain lacks an asset".to_owned()))?;
    let whole = 10_i128.checked_pow(asset.scale).unwrap_or(i128::MAX);
    Ok(units < whole && !is_asked_for)
}

fn gas_cost(connected: &Connected, gas: u64) -> i128 {
    connected.max_fee().saturating_mul(i128::from(gas))
}

/// Whether an address can be swept with the gas that a node asks for. If it lacks the gas money, the hot wallet sends it first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readiness {
    /// It can be signed; the amount of a native sweep is set.
    Ready,
    /// It waits for gas money.
    Waits,
    /// The money no longer covers the gas of its sweep.
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
        if gas_money::has_gas(unit, sender, gas)? {
            return Ok(Readiness::Ready);
        }
        gas_money::add(unit, sender, gas)?;
        return Ok(Readiness::Waits);
    }
    // The operator's coins at the address pay first, then the merchants' coins that are swept.
    let found = gas_money::coins_at(unit, sender)?;
    let own_available = found.own.saturating_sub(found.gas).max(0);
    let coins = found.held - found.units - found.own.max(found.gas);
    let kept = gas.saturating_mul(COINS_LEFT) / 100;
    let value = coins - kept.saturating_sub(own_available).max(0);
    if value <= 0 || value < coins / 2 {
        return Ok(Readiness::Dust);
    }
    (outgoing.units, outgoing.value) = (coins, value);
    Ok(Readiness::Ready)
}

/// A derived address that is free on one more chain, among those of other chains.
pub(super) fn shared(
    unit: &mut Unit<'_>,
    chain: ChainId,
    (hot_wallet, addresses): (Address, &[Address]),
) -> Result<Option<String>, StoreError> {
    for derived in store::derived_address::derived_among(unit.database, addresses)? {
        let address = derived.address.to_string();
        let is_free = !store::account::is_known(unit.database, chain, &address)?;
        if is_free && derived.wallet == hot_wallet {
            return Ok(Some(address));
        }
    }
    Ok(None)
}
