//! The simulated chain: it sends transactions and reports them as time passes.
//!
//! It reports through `observe` only, as a real chain does. Functions that create something require a [`Simulation`], so live
//! mode cannot call them.

use std::time::Duration;

use settlekit_core::value::{Amount, ChainId, Currency};

use crate::chains::observe::{Observation, observe};
use crate::mode::Simulation;
use crate::money::prices::Prices;
use crate::money::rounding::Rounding;
use crate::store;
use crate::store::simulated::{Simulated, advance, due, include_again, insert, lost, put_off};
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::store::transfer_index::TransferIndex;
use crate::unit::{Unit, due_job};

/// Network fees in hundredths of a US dollar.
const ETHEREUM_CENTS: i128 = 120;
const OTHERS_CENTS: i128 = 2;

/// Fees are rounded to this many decimal places, to be readable.
const FEE_PLACES_MAX: u32 = 8;

/// A new address or hash of an EVM chain.
fn hex_bytes<const N: usize>(_: Simulation, unit: &mut Unit<'_>) -> String {
    format!("0x{}", hex::encode(unit.random.bytes::<N>()))
}

/// A new checksummed address (EIP-55).
pub(crate) fn new_address(_: Simulation, unit: &mut Unit<'_>) -> String {
    settlekit_core::value::address::checksum(&unit.random.bytes::<20>())
}

/// Sends from an address, or by default from a new address of the test wallet; the transaction is observed at once and confirmed
/// block by block.
pub(crate) fn send(
    simulation: Simulation,
    unit: &mut Unit<'_>,
    chain: ChainId,
    (from, to): (Option<&str>, &str),
    currency: &Currency,
    units: i128,
) -> Result<Simulated, StoreError> {
    let sent = put(simulation, unit, chain, (from, to), currency, units)?;
    show(simulation, unit, &sent, 0)?;
    Ok(sent)
}

/// Adds a transaction, not yet observed.
fn put(
    simulation: Simulation,
    unit: &mut Unit<'_>,
    chain: ChainId,
    (from, to): (Option<&str>, &str),
    currency: &Currency,
    units: i128,
) -> Result<Simulated, StoreError> {
    let known = store::chain::find(unit.database, chain)?
        .ok_or_else(|| StoreError::Broken("the chain is unknown".into()))?;
    let mut sent = Simulated {
        id: 0,
        chain,
        hash: hex_bytes::<32>(simulation, unit),
        from_address: from.map_or_else(|| new_address(simulation, unit), str::to_owned),
        to_address: to.to_owned(),
        currency: currency.clone(),
        units,
        sent_at: unit.now,
    };
    let first_block = unit
        .now
        .plus(Duration::from_secs(u64::from(known.block_seconds)));
    sent.id = insert(unit.database, &sent, first_block)?;
    Ok(sent)
}

/// Observes every due block.
pub(crate) fn run_due(
    simulation: Simulation,
    unit: &mut Unit<'_>,
    limit: u32,
) -> Result<usize, StoreError> {
    let sent = due(unit.database, unit.now, limit)?;
    for transaction in &sent {
        let what = format!("the simulated transaction {}", transaction.hash);
        if !due_job::run(unit, &what, |unit| Ok(step(simulation, unit, transaction)?))? {
            let until = unit.now.plus(due_job::RETRY_AFTER);
            put_off(unit.database, transaction.id, until)?;
        }
    }
    Ok(sent.len())
}

fn step(simulation: Simulation, unit: &mut Unit<'_>, sent: &Simulated) -> Result<(), StoreError> {
    let known = store::chain::find(unit.database, sent.chain)?
        .ok_or_else(|| StoreError::Broken("the chain is unknown".into()))?;
    let block = u64::from(known.block_seconds.max(1));
    let blocks = unit.now.since(sent.sent_at).as_secs() / block;
    let confirmations = u32::try_from(blocks)
        .unwrap_or(u32::MAX)
        .min(known.confirmations_required);
    let next = (confirmations < known.confirmations_required).then(|| {
        sent.sent_at
            .plus(Duration::from_secs(block * (u64::from(confirmations) + 1)))
    });
    advance(unit.database, sent.id, confirmations, next)?;
    show(simulation, unit, sent, confirmations)
}

fn show(
    _: Simulation,
    unit: &mut Unit<'_>,
    sent: &Simulated,
    confirmations: u32,
) -> Result<(), StoreError> {
    let transfer = transfer_of(unit, sent.chain, &sent.currency)?;
    let observation = Observation::Deposit {
        chain: sent.chain,
        hash: sent.hash.clone(),
        transfer,
        from: Some(sent.from_address.clone()),
        to: sent.to_address.clone(),
        currency: sent.currency.clone(),
        units: sent.units,
        confirmations,
        simulated: true,
    };
    observe(unit, &observation)
}

/// The position of a simulated transaction's single transfer: a token's log, or the transaction's value.
fn transfer_of(
    unit: &mut Unit<'_>,
    chain: ChainId,
    currency: &Currency,
) -> Result<TransferIndex, StoreError> {
    let asset = store::chain::asset(unit.database, chain, currency)?;
    let is_token = asset.is_some_and(|asset| asset.token_address.is_some());
    Ok(if is_token {
        TransferIndex::Log(0)
    } else {
        TransferIndex::Value
    })
}

/// Reorganises the blocks of a transaction: it moves to a new block or is lost.
pub(crate) fn reorganise(
    simulation: Simulation,
    unit: &mut Unit<'_>,
    seen: &Seen,
    returns: bool,
) -> Result<(), StoreError> {
    let (chain, hash) = (seen.chain, seen.hash.clone());
    let to = seen.to_address.clone();
    if !returns {
        return fail(simulation, unit, chain, hash, to).map(drop);
    }
    let known = store::chain::find(unit.database, chain)?
        .ok_or_else(|| StoreError::Broken("the chain is unknown".into()))?;
    let block = Duration::from_secs(u64::from(known.block_seconds.max(1)));
    // As if sent one block ago, so that its confirmations restart at one.
    let sent_at = unit.now.minus(block);
    include_again(unit.database, chain, &hash, sent_at, unit.now.plus(block))?;
    // A simulated transaction has one transfer.
    let observation = Observation::Reorganised {
        chain,
        hash,
        transfer: None,
        to,
    };
    observe(unit, &observation)
}

/// Fails a transaction; false if it has its final confirmations.
pub(crate) fn fail(
    _: Simulation,
    unit: &mut Unit<'_>,
    chain: ChainId,
    hash: String,
    to: String,
) -> Result<bool, StoreError> {
    if !lost(unit.database, chain, &hash)? {
        return Ok(false);
    }
    let observation = Observation::Failed {
        chain,
        hash,
        transfer: None,
        to,
    };
    observe(unit, &observation).map(|()| true)
}

/// The network fee in a currency's smallest unit; `None` without a price.
pub(crate) fn fee(
    simulation: Simulation,
    chain: ChainId,
    currency: &Currency,
    scale: u32,
) -> Option<i128> {
    let cents = if chain.get() == 1 {
        ETHEREUM_CENTS
    } else {
        OTHERS_CENTS
    };
    let dollars: Currency = "USD".parse().ok()?;
    let amount = Amount::from_units(cents, 2).ok()?;
    let places = scale.min(FEE_PLACES_MAX);
    let prices = Prices::Simulated(simulation);
    let units = prices.convert(amount, &dollars, currency, places, Rounding::Up)?;
    units
        .ok()?
        .checked_mul(10_i128.checked_pow(scale - places)?)
}
