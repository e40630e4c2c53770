//! Blocks of connected chains, and their effects.
//!
//! A block is recorded only after its parent, and in one database transaction with all that it brings, so a crash repeats a block
//! or brings it whole. Its effects are settled when it has the chain's confirmations; a reorganisation before takes them back.

use std::time::Duration;

use alloy_primitives::{Address, U256};
use settlekit_core::account::Direction;
use settlekit_core::chain::Asset;
use settlekit_core::value::amount::UNITS_MAX;
use settlekit_core::value::{AccountId, ChainId, Currency};

use super::block::{Block, BlockId, Observed, Transfer, Watch};
use super::deposit::{self, Deposit};
use super::followed::{self, Followed};
use super::mempool::UNSEEN_AFTER;
use super::superseded::{self, Settled};
use super::withdrawal::{self, Withdrawal};
use super::{HAS_REAL_CHAINS, authorization, executed_again, gas_money, holdings, settlement};
use crate::money::connection;
use crate::store;
use crate::store::authorization::Authorized;
use crate::store::chain::StoredChain;
use crate::store::connection::{BLOCKS_KEPT, Connected};
use crate::store::held_transfer::HeldTransfer;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// A transfer that no block brings again within this time after a reorganisation has failed.
const LOST_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The chains to read, with their nodes.
pub(crate) fn watches(unit: &mut Unit<'_>) -> Result<Vec<Watch>, StoreError> {
    let mut watches = Vec::new();
    for (chain, connected) in connection::connected_chains(unit.database)? {
        if connected.paused {
            continue;
        }
        let providers = connection::node_urls(unit, &connected)?;
        watches.push(Watch {
            chain: chain.id,
            providers,
            tokens: tokens(&chain.assets).collect(),
            block_seconds: chain.block_seconds,
            confirmations: chain.confirmations_required,
            finality: connected.finality,
            head: connected.head(),
            traces: connected.traces,
            mempool: connected.mempool,
            log_range: connected.log_range,
        });
    }
    Ok(watches)
}

/// The addresses that a block's transfers matter for: those of accounts and payments, proxies and hot wallets.
pub(crate) fn watched_among(
    database: &mut dyn Database,
    chain: ChainId,
    addresses: &[Address],
) -> Result<Vec<Address>, StoreError> {
    // Merchants' own wallets are among the known addresses.
    let mut watched = store::account::known_among(database, chain, addresses)?;
    let followed = Followed::of_service_among(database, addresses)?;
    let of_service = |address: &&Address| followed.is_service_address(**address);
    watched.extend(addresses.iter().filter(of_service));
    watched.sort_unstable();
    watched.dedup();
    Ok(watched)
}

/// Records blocks, each after the one before, until one is not recorded.
pub(crate) fn record(unit: &mut Unit<'_>, blocks: &[Block]) -> Result<Observed, StoreError> {
    let (mut latest, mut observed) = (None, Observed::Recorded);
    for block in blocks {
        observed = record_one(unit, block)?;
        if observed != Observed::Recorded {
            break;
        }
        latest = Some(block);
    }
    if let Some(block) = latest {
        store::opening::wait_for(unit.database, block.chain, block.number)?;
    }
    Ok(observed)
}

fn record_one(unit: &mut Unit<'_>, block: &Block) -> Result<Observed, StoreError> {
    let connected = store::connection::lock(unit.database, block.chain)?;
    let Some(connected) = connected.filter(|connected| !connected.paused) else {
        return Ok(Observed::NotConnected);
    };
    if block.parent != connected.block_hash || block.number != connected.block.saturating_add(1) {
        return Ok(Observed::Unlinked);
    }
    if !has_all_tokens(unit, block)? {
        return Ok(Observed::Outdated);
    }
    let known = known(unit, block.chain)?;
    let id = BlockId {
        number: block.number,
        hash: block.hash,
    };
    let base_fee = holdings::units(U256::from(block.base_fee)).unwrap_or(UNITS_MAX);
    let settled = settled_by(unit, (&connected, &known), block)?;
    let clock_lag = connected.clock_lag_after(block.mined_at, unit.now);
    let at = (base_fee, clock_lag);
    store::connection::append_block(unit.database, block.chain, (id, settled), at)?;
    if !block.transfers.is_empty() {
        record_transfers(unit, block)?;
    }
    if !block.unconfigured.is_empty() {
        let at = (block.chain, block.number);
        store::unconfigured_token::count(unit.database, at, &block.unconfigured)?;
    }
    for hash in &block.untraced {
        unit.failures.push(format!(
            "transaction {hash} in block {} of chain {} could not be traced: coins that its contracts sent are not seen",
            block.number, block.chain
        ));
    }
    if !block.sent.is_empty() {
        record_sent(unit, block, &known.chain.native_currency_symbol)?;
    }
    settle(unit, &known, [connected.settled, settled])?;
    let since = [LOST_AFTER, UNSEEN_AFTER].map(|after| unit.now.minus(after));
    for seen in store::transaction::adrift_since(unit.database, block.chain, since)? {
        match seen.direction {
            Direction::Out => withdrawal::lost(unit, seen)?,
            _ => deposit::lost(unit, seen)?,
        }
    }
    Ok(Observed::Recorded)
}

/// Whether the transfers of all tokens of the chain were looked for in a block. A token may have been added since it was read.
fn has_all_tokens(unit: &mut Unit<'_>, block: &Block) -> Result<bool, StoreError> {
    let assets = store::chain::assets(unit.database, block.chain)?;
    Ok(tokens(&assets).all(|token| block.tokens.contains(&token)))
}

/// The contracts of tokens.
fn tokens(assets: &[Asset]) -> impl Iterator<Item = Address> {
    let assets = assets.iter();
    assets.filter_map(|asset| asset.token_address.as_deref()?.parse().ok())
}

/// The latest settled block after a block.
fn settled_by(
    unit: &mut Unit<'_>,
    (connected, known): (&Connected, &StoredChain),
    block: &Block,
) -> Result<u64, StoreError> {
    let reached = if connected.finality {
        finalized_by(unit, block)?
    } else {
        // A block counts as its own first confirmation.
        let depth = u64::from(known.confirmations_required.max(1)) - 1;
        block.number.checked_sub(depth)
    };
    Ok(reached.unwrap_or_default().max(connected.settled))
}

/// The latest recorded block, the new one among them, that the nodes call final. Those above the settled one are recorded.
fn finalized_by(unit: &mut Unit<'_>, block: &Block) -> Result<Option<u64>, StoreError> {
    let Some(finalized) = block.finalized else {
        return Ok(None);
    };
    if finalized.number > block.number {
        return Ok(Some(block.number));
    }
    let recorded = match finalized.number == block.number {
        true => Some(block.hash),
        false => store::connection::find_block(unit.database, block.chain, finalized.number)?
            .map(|recorded| recorded.hash),
    };
    if recorded.is_some_and(|recorded| recorded != finalized.hash) {
        unit.failures.push(format!(
            "the nodes of chain {} call block {} {} final, but another one is recorded",
            block.chain, finalized.number, finalized.hash
        ));
        return Ok(None);
    }
    Ok(Some(finalized.number))
}

/// The latest settled block of a chain, or the one before the first; `None` if it is not recorded.
pub(super) fn latest_settled(
    unit: &mut Unit<'_>,
    connected: &Connected,
) -> Result<Option<BlockId>, StoreError> {
    store::connection::find_block(unit.database, connected.chain, connected.settled)
}

/// Records the transactions of followed wallets, with the network's fees.
fn record_sent(unit: &mut Unit<'_>, block: &Block, native: &Currency) -> Result<(), StoreError> {
    let hot_wallets = followed::hot_wallets(unit.database)?;
    let senders: Vec<Address> = block.sent.iter().map(|mined| mined.from).collect();
    let derived = store::derived_address::derived_among(unit.database, &senders)?;
    for mined in &block.sent {
        let is_derived = derived.iter().any(|derived| derived.address == mined.from);
        if is_derived || hot_wallets.contains(&mined.from) {
            settlement::mined(unit, (block.chain, block.number), native, mined)?;
        } else {
            withdrawal::record_fee(unit, block, mined, native)?;
        }
        holdings::record_fee(unit, block, mined, native)?;
    }
    Ok(())
}

fn known(unit: &mut Unit<'_>, chain: ChainId) -> Result<StoredChain, StoreError> {
    store::chain::find(unit.database, chain)?
        .ok_or_else(|| StoreError::Damaged("a connected chain is unknown".to_owned()))
}

fn record_transfers(unit: &mut Unit<'_>, block: &Block) -> Result<(), StoreError> {
    let transfers = block.transfers.iter();
    let mut addresses: Vec<Address> = transfers
        .flat_map(|transfer| [transfer.from, transfer.to])
        .collect();
    addresses.sort_unstable();
    addresses.dedup();
    let followed = Followed::among(unit.database, block.chain, &addresses)?;
    let assets = store::chain::assets(unit.database, block.chain)?;
    for transfer in &block.transfers {
        if let Some(money) = booked(&assets, transfer) {
            record_transfer(unit, (block, &followed), transfer, money)?;
        }
    }
    Ok(())
}

/// Currency and units of a transfer, if it can be booked.
fn booked<'a>(assets: &'a [Asset], transfer: &Transfer) -> Option<(&'a Currency, i128)> {
    let token = transfer.token.map(|token| format!("{token:#x}"));
    // A token that is not configured is never booked.
    let asset = assets.iter().find(|asset| {
        let address = asset.token_address.as_deref();
        address.map(str::to_ascii_lowercase) == token
    })?;
    // A token can claim to move any number of units, or none.
    let units = holdings::units(transfer.units).filter(|units| *units > 0)?;
    Some((&asset.symbol, units))
}

/// The confirmations of a new block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// Its own, which counts as the first.
    First,
    /// All that the chain requires.
    Final,
}

/// Records the deposits of a block.
pub(super) fn record_deposits(
    unit: &mut Unit<'_>,
    block: &Block,
    depth: Depth,
) -> Result<(), StoreError> {
    let assets = store::chain::assets(unit.database, block.chain)?;
    for transfer in &block.transfers {
        let Some(money) = booked(&assets, transfer) else {
            continue;
        };
        let of = (transfer.hash, transfer.index);
        let authorized = store::authorization::by_transfer(unit.database, block.chain, of)?;
        let receivers = Receivers {
            authorized: authorized.as_ref(),
            except: &[],
        };
        record_deposit(unit, (block, depth), transfer, money, &receivers)?;
    }
    Ok(())
}

fn record_transfer(
    unit: &mut Unit<'_>,
    (block, followed): (&Block, &Followed),
    transfer: &Transfer,
    (currency, units): (&Currency, i128),
) -> Result<(), StoreError> {
    let chain = block.chain;
    if followed.has(transfer.from) || followed.has(transfer.to) {
        let held = HeldTransfer {
            chain,
            block: block.number,
            hash: transfer.hash,
            transfer: transfer.index,
            from: transfer.from,
            to: transfer.to,
            currency: currency.clone(),
            units,
        };
        store::held_transfer::insert(unit.database, &held)?;
        let may_be_gas_money = followed.is_hot(transfer.from) && followed.is_derived(transfer.to);
        if may_be_gas_money && gas_money::is_gas_money(unit, &held)? {
            return Ok(());
        }
    }
    // The accounts of a proxy booked this money when it arrived at the proxy. For other accounts of the wallet it is a deposit.
    let mut passed_on = Vec::new();
    if followed.is_proxy(transfer.from) {
        let proxy = format!("{:#x}", transfer.from);
        let accounts = store::account::by_address(unit.database, chain, currency, &proxy)?;
        passed_on.extend(accounts.into_iter().map(|target| target.account.id));
    }
    let money = (currency, units);
    let authorized = match block.authorized.is_empty() {
        false => authorization::executed(unit, block, transfer, money)?,
        true => None,
    };
    if let Some(authorized) = &authorized {
        let position = (transfer.hash, transfer.index);
        deposit::replaced(unit, authorized, position)?;
        if HAS_REAL_CHAINS {
            executed_again::take_place(unit, authorized, position)?;
        }
    }
    let of = Receivers {
        except: &passed_on,
        authorized: authorized.as_ref(),
    };
    record_deposit(unit, (block, Depth::First), transfer, money, &of)?;
    if followed.is_own_wallet(transfer.from) {
        let withdrawal = Withdrawal {
            chain,
            block: block.number,
            mined_at: block.mined_at,
            hash: &format!("{:#x}", transfer.hash),
            transfer: transfer.index,
            from: transfer.from,
            to: transfer.to,
            currency,
            units,
        };
        withdrawal::record(unit, &withdrawal)?;
    }
    Ok(())
}

/// Who gets a transfer, beside those who have or watch its receiver.
struct Receivers<'a> {
    /// These accounts do not.
    except: &'a [AccountId],
    /// The payment of an authorization that the transfer executes.
    authorized: Option<&'a Authorized>,
}

/// Records a transfer of a block for each organisation that gets it.
fn record_deposit(
    unit: &mut Unit<'_>,
    (block, depth): (&Block, Depth),
    transfer: &Transfer,
    (currency, units): (&Currency, i128),
    receivers: &Receivers<'_>,
) -> Result<(), StoreError> {
    let (from, to) = (transfer.from.to_string(), format!("{:#x}", transfer.to));
    let hash = format!("{:#x}", transfer.hash);
    let mut targets = store::account::by_address(unit.database, block.chain, currency, &to)?;
    targets.retain(|target| !receivers.except.contains(&target.account.id));
    if let Some(authorized) = receivers.authorized {
        authorization::assign(unit, &mut targets, authorized)?;
    }
    for target in targets {
        let confirmations = match depth {
            Depth::First => 1,
            Depth::Final => target.chain.confirmations_required,
        };
        let deposit = Deposit {
            target,
            hash: &hash,
            transfer: transfer.index,
            from: Some(&from),
            to: &to,
            currency,
            units,
            confirmations,
            block: Some(block.number),
        };
        deposit::record(unit, &deposit)?;
    }
    Ok(())
}

/// Settles the pending transfers in all blocks up to one; returns their accounts.
fn settle_transfers(
    unit: &mut Unit<'_>,
    chain: ChainId,
    block: u64,
) -> Result<Settled, StoreError> {
    let mut accounts = Settled::new();
    for seen in store::transaction::pending_until(unit.database, chain, block)? {
        let addresses = accounts
            .entry((seen.organisation, seen.account))
            .or_default();
        addresses.extend(superseded::own_address(&seen).map(str::to_owned));
        match seen.direction {
            Direction::Out => withdrawal::settle(unit, seen)?,
            _ => deposit::settle(unit, seen)?,
        }
    }
    Ok(accounts)
}

/// Settles the blocks after the latest settled one, up to another.
fn settle(
    unit: &mut Unit<'_>,
    known: &StoredChain,
    [after, block]: [u64; 2],
) -> Result<(), StoreError> {
    let chain = known.chain.id;
    let returned = match HAS_REAL_CHAINS {
        true => store::transaction::booked_between(unit.database, chain, [after, block])?,
        false => Vec::new(),
    };
    let accounts = settle_transfers(unit, chain, block)?;
    let range = (block, block.saturating_sub(BLOCKS_KEPT));
    let transfers = store::held_transfer::settle(unit.database, chain, range)?;
    holdings::settle(unit, &transfers)?;
    superseded::settle(unit, chain, accounts, &transfers)?;
    superseded::returned(unit, &returned)?;
    for outgoing in store::outgoing::mined(unit.database, chain, block)? {
        settlement::settle(unit, &outgoing)?;
    }
    Ok(())
}

/// Goes back to a recorded block, which a reorganisation forked from.
pub(crate) fn rewind(
    unit: &mut Unit<'_>,
    chain: ChainId,
    to: BlockId,
) -> Result<Observed, StoreError> {
    let Some(connected) = store::connection::lock(unit.database, chain)? else {
        return Ok(Observed::NotConnected);
    };
    let recorded = store::connection::find_block(unit.database, chain, to.number)?;
    if recorded != Some(to) || to.number > connected.block {
        return Ok(Observed::Unlinked);
    }
    store::connection::drop_blocks(unit.database, chain, (to, connected.settled))?;
    for seen in store::transaction::above(unit.database, chain, to.number)? {
        let rewound = seen.clone();
        match seen.direction {
            Direction::Out => withdrawal::rewind(unit, seen)?,
            _ => deposit::rewind(unit, seen)?,
        }
        superseded::rewind(unit, rewound)?;
    }
    holdings::rewind(unit, chain, to.number)?;
    settlement::rewind(unit, chain, to.number)?;
    authorization::rewind(unit, chain, to.number)?;
    Ok(Observed::Recorded)
}
