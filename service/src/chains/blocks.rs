//! Blocks of connected chains, and their effects.
//!
//! A block is recorded only after its parent, and in one database transaction with all that it brings, so a crash repeats a block
//! or brings it whole. What a block brings is settled when it has the chain's confirmations; a reorganisation before takes it back.

use std::time::Duration;

use alloy_primitives::{Address, U256};
use settlekit_core::value::amount::UNITS_MAX;
use settlekit_core::value::{ChainId, Currency};

use super::block::{Block, BlockId, Mined, Observed, Transfer, Watch};
use super::observe::{self, Deposit};
use super::{outgoing, sweep};
use crate::money::connection;
use crate::secret::context;
use crate::store;
use crate::store::chain::Known;
use crate::store::connection::BLOCKS_KEPT;
use crate::store::holding::{Cause, HeldTransfer, Holding};
use crate::store::proxy::Proxy;
use crate::store::sql::{Database, StoreError};
use crate::store::transfer_index::TransferIndex;
use crate::unit::Unit;

/// A transfer that no block brings again within this time after a reorganisation has failed.
const LOST_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// Addresses whose money the installation follows itself.
struct Held {
    proxies: Vec<Proxy>,
    hot_wallets: Vec<Address>,
}

impl Held {
    fn has(&self, address: Address) -> bool {
        self.hot_wallets.contains(&address) || self.is_proxy(address)
    }

    /// Whether an address is a proxy whose money goes on to a hot wallet.
    fn pays_hot_wallet(&self, address: Address) -> bool {
        let mut proxies = self.proxies.iter();
        let proxy = proxies.find(|proxy| proxy.address == address);
        proxy.is_some_and(|proxy| self.hot_wallets.contains(&proxy.destination))
    }

    fn is_proxy(&self, address: Address) -> bool {
        self.proxies.iter().any(|proxy| proxy.address == address)
    }
}

/// The chains to read, with their nodes.
pub(crate) fn watches(unit: &mut Unit<'_>) -> Result<Vec<Watch>, StoreError> {
    let mut watches = Vec::new();
    for (chain, connected) in connection::connected_chains(unit.database)? {
        if connected.paused {
            continue;
        }
        let opened = unit.open(&context::providers(chain.id), &connected.providers);
        let providers = opened.and_then(|text| serde_json::from_slice(&text).ok());
        let tokens = chain.assets.iter();
        let tokens = tokens.filter_map(|asset| asset.token_address.as_deref()?.parse().ok());
        watches.push(Watch {
            chain: chain.id,
            providers: providers.ok_or_else(|| {
                StoreError::Damaged("the nodes of a chain cannot be unsealed".to_owned())
            })?,
            tokens: tokens.collect(),
            block_seconds: chain.block_seconds,
            confirmations: chain.confirmations_required,
            head: connected.head(),
            traces: connected.traces,
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
    let mut watched = store::account::known_among(database, chain, addresses)?;
    let held = held_among(database, addresses)?;
    watched.extend(addresses.iter().filter(|address| held.has(**address)));
    watched.sort_unstable();
    watched.dedup();
    Ok(watched)
}

fn held_among(database: &mut dyn Database, addresses: &[Address]) -> Result<Held, StoreError> {
    Ok(Held {
        proxies: store::proxy::among(database, addresses)?,
        hot_wallets: hot_wallets(database)?,
    })
}

/// All hot wallets, old ones too.
pub(crate) fn hot_wallets(database: &mut dyn Database) -> Result<Vec<Address>, StoreError> {
    let wallets = store::wallet::all(database)?;
    Ok(wallets.into_iter().map(|wallet| wallet.address).collect())
}

/// Records a block.
pub(crate) fn record(unit: &mut Unit<'_>, block: &Block) -> Result<Observed, StoreError> {
    let connected = store::connection::lock(unit.database, block.chain)?;
    let Some(connected) = connected.filter(|connected| !connected.paused) else {
        return Ok(Observed::NotConnected);
    };
    if block.parent != connected.block_hash || block.number != connected.block.saturating_add(1) {
        return Ok(Observed::Unlinked);
    }
    let known = known(unit, block.chain)?;
    let id = BlockId {
        number: block.number,
        hash: block.hash,
    };
    let base_fee = i128::try_from(block.base_fee).unwrap_or(i128::MAX);
    store::connection::append_block(unit.database, block.chain, id, base_fee)?;
    if !block.transfers.is_empty() {
        record_transfers(unit, block)?;
    }
    for mined in &block.sent {
        let native = &known.chain.native_currency_symbol;
        outgoing::mined(unit, (block.chain, block.number), native, mined)?;
        record_fee(unit, block, mined, &known)?;
    }
    // A block counts as its own first confirmation.
    let depth = u64::from(known.confirmations_required.max(1)) - 1;
    if let Some(settled) = block.number.checked_sub(depth) {
        settle(unit, &known, settled)?;
    }
    let since = unit.now.minus(LOST_AFTER);
    for seen in store::transaction::adrift_since(unit.database, block.chain, since)? {
        observe::lost(unit, seen)?;
    }
    Ok(Observed::Recorded)
}

fn known(unit: &mut Unit<'_>, chain: ChainId) -> Result<Known, StoreError> {
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
    let held = held_among(unit.database, &addresses)?;
    let assets = store::chain::assets(unit.database, block.chain)?;
    for transfer in &block.transfers {
        let token = transfer.token.map(|token| format!("{token:#x}"));
        let asset = assets.iter().find(|asset| {
            let address = asset.token_address.as_deref();
            address.map(str::to_ascii_lowercase) == token
        });
        // A token that is not configured is never booked.
        let Some(asset) = asset else { continue };
        let units = i128::try_from(transfer.units).unwrap_or(i128::MAX);
        // A token can claim to move any number of units, or none.
        if units == 0 || units > UNITS_MAX {
            continue;
        }
        record_transfer(unit, (block, &held), transfer, (&asset.symbol, units))?;
    }
    Ok(())
}

fn record_transfer(
    unit: &mut Unit<'_>,
    (block, held): (&Block, &Held),
    transfer: &Transfer,
    (currency, units): (&Currency, i128),
) -> Result<(), StoreError> {
    if held.has(transfer.from) || held.has(transfer.to) {
        let held = HeldTransfer {
            chain: block.chain,
            block: block.number,
            hash: transfer.hash,
            transfer: transfer.index,
            from: transfer.from,
            to: transfer.to,
            currency: currency.clone(),
            units,
        };
        store::holding::insert_transfer(unit.database, &held)?;
    }
    // A proxy passes on what was booked when it arrived there.
    if held.is_proxy(transfer.from) {
        return Ok(());
    }
    let (from, to) = (transfer.from.to_string(), format!("{:#x}", transfer.to));
    let hash = format!("{:#x}", transfer.hash);
    for target in store::account::by_address(unit.database, block.chain, currency, &to)? {
        let deposit = Deposit {
            target,
            hash: &hash,
            transfer: transfer.index,
            from: Some(&from),
            to: &to,
            currency,
            units,
            confirmations: 1,
            source: "Observed",
            block: Some(block.number),
        };
        observe::deposit_seen(unit, &deposit)?;
    }
    Ok(())
}

/// Records the network's fee for a transaction of a hot wallet.
fn record_fee(
    unit: &mut Unit<'_>,
    block: &Block,
    mined: &Mined,
    known: &Known,
) -> Result<(), StoreError> {
    let fee = HeldTransfer {
        chain: block.chain,
        block: block.number,
        hash: mined.hash,
        transfer: TransferIndex::Fee,
        from: mined.from,
        to: Address::ZERO,
        currency: known.chain.native_currency_symbol.clone(),
        units: units(mined.fee).ok_or_else(|| {
            StoreError::Broken("the network's fee for a transaction is too large".to_owned())
        })?,
    };
    store::holding::insert_transfer(unit.database, &fee)
}

/// Settles all blocks up to one.
fn settle(unit: &mut Unit<'_>, known: &Known, block: u64) -> Result<(), StoreError> {
    let chain = known.chain.id;
    for seen in store::transaction::pending_until(unit.database, chain, block)? {
        observe::settle(unit, seen)?;
    }
    let range = (block, block.saturating_sub(BLOCKS_KEPT));
    for transfer in store::holding::settle_transfers(unit.database, chain, range)? {
        settle_transfer(unit, &transfer)?;
    }
    for outgoing in store::outgoing::mined(unit.database, chain, block)? {
        outgoing::settle(unit, outgoing)?;
    }
    Ok(())
}

/// The changes of holdings by a transfer, with the sign of the settlement or of its return.
fn move_holdings(
    unit: &mut Unit<'_>,
    held: &Held,
    transfer: &HeldTransfer,
    sign: i128,
) -> Result<(), StoreError> {
    let ends = [
        (transfer.from, -transfer.units),
        (transfer.to, transfer.units),
    ];
    for (address, units) in ends {
        if held.has(address) {
            let change = holding(transfer, address, units * sign);
            let sweep_at = unit.now.plus(sweep::AFTER);
            store::holding::add(unit.database, transfer.chain, &change, sweep_at)?;
        }
    }
    Ok(())
}

fn holding(transfer: &HeldTransfer, address: Address, units: i128) -> Holding {
    Holding {
        address,
        currency: transfer.currency.clone(),
        units,
    }
}

/// Moves settled money between what lies where, and enters what is the operator's.
fn settle_transfer(unit: &mut Unit<'_>, transfer: &HeldTransfer) -> Result<(), StoreError> {
    let held = held_among(unit.database, &[transfer.from, transfer.to])?;
    move_holdings(unit, &held, transfer, 1)?;
    let (from, to) = (transfer.from, transfer.to);
    let out = holding(transfer, from, -transfer.units);
    let into = holding(transfer, to, transfer.units);
    let of_operator = if transfer.transfer == TransferIndex::Fee {
        Some((out, Cause::NetworkFee))
    } else if held.hot_wallets.contains(&to) && !held.has(from) {
        Some((into, Cause::TopUp))
    } else if held.hot_wallets.contains(&from)
        && store::outgoing::by_hash(unit.database, transfer.hash)?.is_none()
    {
        Some((out, Cause::Unknown))
    } else if held.pays_hot_wallet(to)
        && store::account::known_among(unit.database, transfer.chain, &[to])?.is_empty()
    {
        Some((into, Cause::Unassigned))
    } else {
        None
    };
    let Some((change, cause)) = of_operator else {
        return Ok(());
    };
    let at = (transfer.chain, transfer.block);
    let why = (cause, transfer.hash);
    store::holding::insert_operator_entry(unit.database, at, &change, why, unit.now)
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
    let recorded = store::connection::block(unit.database, chain, to.number)?;
    if recorded != Some(to) || to.number > connected.block {
        return Ok(Observed::Unlinked);
    }
    store::connection::drop_blocks(unit.database, chain, to)?;
    for seen in store::transaction::above(unit.database, chain, to.number)? {
        observe::rewind(unit, seen)?;
    }
    for transfer in store::holding::remove_transfers(unit.database, chain, to.number)? {
        let held = held_among(unit.database, &[transfer.from, transfer.to])?;
        move_holdings(unit, &held, &transfer, -1)?;
    }
    store::holding::delete_operator_entries(unit.database, chain, to.number)?;
    outgoing::rewind(unit, chain, to.number)?;
    Ok(Observed::Recorded)
}

/// What a balance of the smallest unit is in the books' type; `None` beyond it.
pub(crate) fn units(balance: U256) -> Option<i128> {
    i128::try_from(balance)
        .ok()
        .filter(|units| *units <= UNITS_MAX)
}
