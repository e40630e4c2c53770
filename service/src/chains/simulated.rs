//! The simulated chains of a sandbox: they mine blocks as the clock advances.
//!
//! A block has the height of its time in units of the chain's block time, and is made only if a transaction waits for it. Its
//! transfers are recorded as those of a node's block are. Functions that create something require a [`Simulation`], so live mode
//! cannot call them.

use alloy_primitives::{Address, B256, U256, keccak256};
use settlekit_core::payment::TransactionStatus;
use settlekit_core::value::{Amount, ChainId, Currency};

use super::authorization;
use super::block::{Block, BlockId, Observed, PendingTransfer, Transfer};
use super::block_time::{confirmed_at, height, time_of};
use super::blocks::Depth;
use super::{blocks, deposit, mempool};
use crate::mode::Simulation;
use crate::money::prices::{Prices, SimulatedPrices};
use crate::money::rounding::Rounding;
use crate::resources::payout;
use crate::store;
use crate::store::authorization::Authorized;
use crate::store::chain::StoredChain;
use crate::store::simulated::{Simulated, due, insert, lock_unconfirmed, update};
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::store::transfer_index::TransferIndex;
use crate::unit::{Unit, due_job};

/// Network fees in hundredths of a US dollar.
const ETHEREUM_CENTS: i128 = 120;
const OTHERS_CENTS: i128 = 2;

/// Fees are rounded to this many decimal places, to be readable.
const FEE_PLACES_MAX: u32 = 8;

/// A new checksummed address (EIP-55).
pub(crate) fn new_address(_: Simulation, unit: &mut Unit<'_>) -> String {
    settlekit_core::value::address::checksum(&unit.random.bytes::<20>())
}

/// Sends from an address, or by default from a new address of the test wallet. The transfer is shown at once, included in the next
/// block and confirmed after the chain's confirmations.
pub(crate) fn send(
    simulation: Simulation,
    unit: &mut Unit<'_>,
    chain: ChainId,
    (from, to): (Option<&str>, &str),
    currency: &Currency,
    units: i128,
) -> Result<Simulated, StoreError> {
    let (sent, transfer) = add(simulation, unit, chain, (from, to), (currency, units))?;
    show(unit, &sent, &transfer, None)?;
    Ok(sent)
}

/// Executes a transfer that its payer has signed. The simulated tokens keep the used nonces as the service does.
pub(crate) fn execute(
    simulation: Simulation,
    unit: &mut Unit<'_>,
    authorized: &Authorized,
) -> Result<(), StoreError> {
    let (from, to) = (authorized.payer.to_string(), authorized.to.to_string());
    let ends = (Some(from.as_str()), to.as_str());
    let money = (&authorized.currency, authorized.units);
    let (sent, transfer) = add(simulation, unit, authorized.chain, ends, money)?;
    let known = known(unit, authorized.chain)?;
    let at = (authorized.chain, height(&known, unit.now) + 1);
    let of = (transfer.hash, transfer.index);
    store::authorization::insert_transfer(unit.database, at, of, authorized.id)?;
    show(unit, &sent, &transfer, Some(authorized))
}

/// Adds a transaction to the next block.
fn add(
    simulation: Simulation,
    unit: &mut Unit<'_>,
    chain: ChainId,
    (from, to): (Option<&str>, &str),
    (currency, units): (&Currency, i128),
) -> Result<(Simulated, Transfer), StoreError> {
    let known = known(unit, chain)?;
    let hash = B256::from(unit.random.bytes::<32>());
    let mut sent = Simulated {
        id: 0,
        chain,
        hash: format!("{hash:#x}"),
        from_address: from.map_or_else(|| new_address(simulation, unit), str::to_owned),
        to_address: to.to_owned(),
        currency: currency.clone(),
        units,
        block: None,
        next_block_at: Some(time_of(&known, height(&known, unit.now) + 1)),
    };
    sent.id = insert(unit.database, &sent)?;
    let transfer = transfer_of(unit, &sent)?;
    Ok((sent, transfer))
}

/// Shows a transaction before a block has it.
fn show(
    unit: &mut Unit<'_>,
    sent: &Simulated,
    transfer: &Transfer,
    authorized: Option<&Authorized>,
) -> Result<(), StoreError> {
    let pending = PendingTransfer {
        hash: transfer.hash,
        token: transfer.token,
        from: transfer.from,
        to: transfer.to,
        units: transfer.units,
    };
    let money = (&sent.currency, sent.units);
    mempool::record(unit, sent.chain, &pending, money, authorized)
}

/// Mines every due block.
pub(crate) fn run_due(
    simulation: Simulation,
    unit: &mut Unit<'_>,
    limit: u32,
) -> Result<usize, StoreError> {
    let sent = due(unit.database, unit.now, limit)?;
    let blocks = sent
        .chunk_by(|one, next| (one.chain, one.next_block_at) == (next.chain, next.next_block_at));
    for waiting in blocks {
        let Some((chain, at)) = waiting.first().map(|sent| (sent.chain, sent.next_block_at)) else {
            continue;
        };
        let known = known(unit, chain)?;
        let number = height(&known, at.unwrap_or(unit.now));
        let what = format!("block {number} of simulated chain {chain}");
        let mined = due_job::run(unit, &what, |unit| {
            Ok(mine(simulation, unit, (&known, number), waiting)?)
        })?;
        if !mined {
            let next_block_at = Some(unit.now.plus(due_job::RETRY_AFTER));
            for sent in waiting {
                let postponed = Simulated {
                    next_block_at,
                    ..sent.clone()
                };
                update(unit.database, &postponed)?;
            }
        }
    }
    Ok(sent.len())
}

/// Mines a block with the pending transactions, and confirms the transactions that have their confirmations.
fn mine(
    _: Simulation,
    unit: &mut Unit<'_>,
    (known, number): (&StoredChain, u64),
    waiting: &[Simulated],
) -> Result<(), StoreError> {
    let new: Vec<&Simulated> = waiting.iter().filter(|sent| sent.block.is_none()).collect();
    if !new.is_empty() {
        let block = block_of(unit, (known, number), &new)?;
        blocks::record_deposits(unit, &block, Depth::First)?;
    }
    for sent in waiting {
        let block = sent.block.unwrap_or(number);
        let confirmed_at = confirmed_at(known, block);
        let is_confirmed = confirmed_at <= unit.now;
        let mined = Simulated {
            block: Some(block),
            next_block_at: Some(confirmed_at).filter(|_| !is_confirmed),
            ..sent.clone()
        };
        update(unit.database, &mined)?;
        if is_confirmed {
            for seen in pending(unit, &mined)? {
                deposit::settle(unit, seen)?;
            }
            payout::transaction_confirmed(unit, (mined.chain, &mined.hash), &mined.to_address)?;
        }
    }
    Ok(())
}

/// Records blocks that a host reports for a simulated chain, as tests do. Their parents are not checked. A block that is final books
/// its transfers at once, and leaves those of other blocks alone.
pub(super) fn observe(
    _: Simulation,
    unit: &mut Unit<'_>,
    observed: &[Block],
) -> Result<Observed, StoreError> {
    for block in observed {
        if store::chain::find(unit.database, block.chain)?.is_none() {
            return Ok(Observed::NotConnected);
        }
        let is_final = |finalized: BlockId| finalized.number >= block.number;
        let depth = match block.finalized.is_some_and(is_final) {
            true => Depth::Final,
            false => Depth::First,
        };
        blocks::record_deposits(unit, block, depth)?;
    }
    Ok(Observed::Recorded)
}

/// The block of a height with some transactions.
fn block_of(
    unit: &mut Unit<'_>,
    (known, number): (&StoredChain, u64),
    sent: &[&Simulated],
) -> Result<Block, StoreError> {
    let chain = known.chain.id;
    let transfers = sent.iter().map(|sent| transfer_of(unit, sent));
    Ok(Block {
        chain,
        number,
        hash: hash_of(chain, number),
        parent: hash_of(chain, number.saturating_sub(1)),
        mined_at: time_of(known, number),
        base_fee: 0,
        transfers: transfers.collect::<Result<_, _>>()?,
        tokens: Vec::new(),
        sent: Vec::new(),
        authorized: Vec::new(),
        unconfigured: Vec::new(),
        untraced: Vec::new(),
        finalized: None,
    })
}

fn hash_of(chain: ChainId, number: u64) -> B256 {
    keccak256(format!("simulated chain {chain}, block {number}"))
}

/// The single transfer of a transaction: a token's log, or the transaction's value.
fn transfer_of(unit: &mut Unit<'_>, sent: &Simulated) -> Result<Transfer, StoreError> {
    let damaged =
        |what: &str| StoreError::Damaged(format!("a simulated transaction has no {what}"));
    let address = |text: &str| {
        text.parse::<Address>()
            .map_err(|_| damaged("address of its chain"))
    };
    let asset = store::chain::asset(unit.database, sent.chain, &sent.currency)?;
    let asset = asset.ok_or_else(|| damaged("currency of its chain"))?;
    let token = asset.token_address.as_deref().map(address).transpose()?;
    Ok(Transfer {
        hash: sent.hash.parse().map_err(|_| damaged("hash"))?,
        index: TransferIndex::of_plain_transfer(token.is_some()),
        token,
        from: address(&sent.from_address)?,
        to: address(&sent.to_address)?,
        units: U256::try_from(sent.units).map_err(|_| damaged("amount"))?,
    })
}

/// The pending rows of a transaction's transfer, across organisations.
fn pending(unit: &mut Unit<'_>, sent: &Simulated) -> Result<Vec<Seen>, StoreError> {
    let to = sent.to_address.to_ascii_lowercase();
    let mut found =
        store::transaction::lock_transfers(unit.database, (sent.chain, &sent.hash), &to)?;
    found.retain(|seen| seen.status == TransactionStatus::Pending);
    Ok(found)
}

/// Reorganises the block of a transaction, which is then in the latest block, or dropped. The fork has all others in the same blocks,
/// so that nothing changes for them. False if it is confirmed.
pub(crate) fn reorganise(
    _: Simulation,
    unit: &mut Unit<'_>,
    (chain, hash): (ChainId, &str),
    returns: bool,
) -> Result<bool, StoreError> {
    let Some(sent) = lock_unconfirmed(unit.database, chain, hash)? else {
        return Ok(false);
    };
    let known = known(unit, chain)?;
    if !returns {
        let dropped = Simulated {
            block: None,
            next_block_at: None,
            ..sent
        };
        update(unit.database, &dropped)?;
        payout::transaction_dropped(unit, (chain, hash), &dropped.to_address)?;
        let transfer = transfer_of(unit, &dropped)?;
        authorization::dropped(unit, chain, (transfer.hash, transfer.index))?;
        for seen in pending(unit, &dropped)? {
            deposit::lost(unit, seen)?;
        }
        return Ok(true);
    }
    for seen in pending(unit, &sent)? {
        deposit::rewind(unit, seen)?;
    }
    let number = height(&known, unit.now);
    let moved = Simulated {
        block: Some(number),
        next_block_at: Some(confirmed_at(&known, number)),
        ..sent
    };
    update(unit.database, &moved)?;
    let block = block_of(unit, (&known, number), &[&moved])?;
    blocks::record_deposits(unit, &block, Depth::First)?;
    Ok(true)
}

fn known(unit: &mut Unit<'_>, chain: ChainId) -> Result<StoredChain, StoreError> {
    store::chain::find(unit.database, chain)?
        .ok_or_else(|| StoreError::Broken("the chain is unknown".into()))
}

/// The network fee in a currency's smallest unit, at the fixed price; `None` without one.
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
    let prices = Prices::Simulated(SimulatedPrices::fixed(simulation));
    let units = prices.convert(amount, &dollars, currency, places, Rounding::Up)?;
    units
        .ok()?
        .checked_mul(10_i128.checked_pow(scale - places)?)
}
