//! Connections of chains to their nodes, with the cursor: the latest recorded block.

use alloy_primitives::B256;
use settlekit_core::value::{ChainId, Timestamp};

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::{delete, insert, update};
use super::{hex, int};
/// A recorded block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockId {
    /// The height.
    pub number: u64,
    /// The hash.
    pub hash: B256,
}

/// Blocks kept per chain: the deepest reorganisation that is followed.
pub(crate) const BLOCKS_KEPT: u64 = 512;

/// A connected chain.
#[derive(Debug, Clone)]
pub(crate) struct Connected {
    pub(crate) chain: ChainId,
    /// The sealed URLs of the nodes.
    pub(crate) providers: Vec<u8>,
    /// Whether the nodes trace transactions.
    pub(crate) traces: bool,
    /// Whether transfers are looked for in the nodes' mempools.
    pub(crate) mempool: bool,
    /// The most blocks per request for logs.
    pub(crate) log_range: u64,
    pub(crate) paused: bool,
    /// Whether the chain has the factory of proxy wallets.
    pub(crate) has_factory: bool,
    /// The block from which on deposits count.
    pub(crate) first_block: u64,
    /// The latest recorded block.
    pub(crate) block: u64,
    pub(crate) block_hash: B256,
    /// Whether a block is settled when the nodes call it final.
    pub(crate) finality: bool,
    /// The latest settled block.
    pub(crate) settled: u64,
    /// Wei per gas at that block.
    pub(crate) base_fee: i128,
    /// The latest one of the node. [`Connected::priority_fee`] limits it.
    pub(crate) priority_fee: i128,
    /// The most in wei that the operator pays the network a day for the payers of one organisation; `None` for nothing.
    pub(crate) payer_fees_per_day: Option<i128>,
    /// The least time, in microseconds, that has passed from a block's own time until it was recorded: how far the clock of the chain is
    /// behind, at most. `None` before the first block.
    pub(crate) clock_lag: Option<i64>,
}

columns! { Connected {
    chain, providers, traces, mempool, log_range, paused, has_factory, first_block, block, block_hash, finality, settled, base_fee,
    priority_fee, payer_fees_per_day, clock_lag
} }

macro_rules! connected_columns {
    () => {
        "SELECT chain_id, providers, traces, mempool, log_range, paused, has_factory, first_block, block, block_hash, finality, settled, \
         base_fee, priority_fee, payer_fees_per_day, clock_lag FROM connections"
    };
}

/// The gas of a payout of a token.
const PAYOUT_GAS: i128 = 65_000;

/// About the gas of a transfer of native coins, the margin included.
const TRANSFER_GAS: i128 = 27_000;

/// The most priority fee, in wei per gas, unless twice the base fee is more: a node may lie.
const PRIORITY_FEE_MAX: i128 = 50_000_000_000;

/// The mark: gas money for fewer payouts is low.
const PAYOUTS_MARK: i128 = 50;

impl Connected {
    /// The most wei per gas now. The base fee can double in six blocks before a transaction has to wait.
    pub(crate) fn max_fee(&self) -> i128 {
        self.base_fee
            .saturating_mul(2)
            .saturating_add(self.priority_fee())
    }

    /// The priority fee that is offered now, in wei per gas: the node's, up to a limit that moves with the base fee.
    pub(crate) fn priority_fee(&self) -> i128 {
        let limit = PRIORITY_FEE_MAX.max(self.base_fee.saturating_mul(2));
        self.priority_fee.min(limit)
    }

    /// The highest fee of a payout of a token, in wei.
    pub(crate) fn payout_fee(&self) -> i128 {
        self.max_fee().saturating_mul(PAYOUT_GAS)
    }

    /// The highest fee of a transfer of native coins, in wei.
    pub(crate) fn transfer_fee(&self) -> i128 {
        self.max_fee().saturating_mul(TRANSFER_GAS)
    }

    /// Less gas money is low, in wei.
    pub(crate) fn gas_mark(&self) -> i128 {
        self.payout_fee().saturating_mul(PAYOUTS_MARK)
    }

    /// The least lag of the chain's clock after another block was recorded at a time. A block of the future tells nothing: a clock jumped,
    /// or a node lies.
    pub(crate) fn clock_lag_after(&self, mined_at: Timestamp, now: Timestamp) -> Option<i64> {
        let lag = now.micros().saturating_sub(mined_at.micros());
        match self.clock_lag {
            _ if lag < 0 => self.clock_lag,
            Some(least) => Some(least.min(lag)),
            None => Some(lag),
        }
    }

    /// The time of a block by the clock of this service, at the latest.
    pub(crate) fn own_time(&self, mined_at: Timestamp) -> Timestamp {
        let lag = self.clock_lag.unwrap_or(0);
        Timestamp::from_micros(mined_at.micros().saturating_add(lag))
    }

    /// The latest recorded block.
    pub(crate) fn head(&self) -> BlockId {
        BlockId {
            number: self.block,
            hash: self.block_hash,
        }
    }
}

pub(crate) fn find(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Option<Connected>, StoreError> {
    const FIND: &str = concat!(connected_columns!(), " WHERE chain_id = ?1");
    columns::first(&database.query(FIND, &[chain.into()])?)
}

/// As [`find`], locked until the database transaction ends: blocks of a chain are recorded one after another.
pub(crate) fn lock(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Option<Connected>, StoreError> {
    const LOCK: &str = concat!(connected_columns!(), " WHERE chain_id = ?1 FOR UPDATE");
    columns::first(&database.query(LOCK, &[chain.into()])?)
}

/// All connections, by chain.
pub(crate) fn all_connections(database: &mut dyn Database) -> Result<Vec<Connected>, StoreError> {
    const ALL: &str = concat!(connected_columns!(), " ORDER BY chain_id");
    columns::all(&database.query(ALL, &[])?)
}

/// Connects a chain, with its current block as the first.
pub(crate) fn insert(
    database: &mut dyn Database,
    new: &Connected,
    now: Timestamp,
) -> Result<(), StoreError> {
    insert!(database, "connections" {
        chain_id: new.chain,
        providers: new.providers.as_slice(),
        traces: i64::from(new.traces),
        mempool: i64::from(new.mempool),
        log_range: int(new.log_range),
        paused: i64::from(new.paused),
        has_factory: i64::from(new.has_factory),
        first_block: int(new.first_block),
        block: int(new.block),
        block_hash: &hex(new.block_hash),
        finality: i64::from(new.finality),
        settled: int(new.settled),
        base_fee: new.base_fee,
        priority_fee: new.priority_fee,
        created_at: now,
        updated_at: now,
    })?;
    insert_block(database, new.chain, new.head())
}

/// Changes the nodes of a connected chain; the cursor stays.
pub(crate) fn set_nodes(
    database: &mut dyn Database,
    new: &Connected,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "connections" [chain_id: new.chain] {
        providers: new.providers.as_slice(),
        traces: i64::from(new.traces),
        mempool: i64::from(new.mempool),
        log_range: int(new.log_range),
        finality: i64::from(new.finality),
        has_factory: i64::from(new.has_factory),
        updated_at: now,
    })
}

pub(crate) fn set_paused(
    database: &mut dyn Database,
    chain: ChainId,
    paused: bool,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "connections" [chain_id: chain] {
        paused: i64::from(paused),
        updated_at: now,
    })
}

/// Records whether a chain has the factory of proxy wallets.
pub(crate) fn set_factory(
    database: &mut dyn Database,
    chain: ChainId,
    has_factory: bool,
) -> Result<(), StoreError> {
    update!(database, "connections" [chain_id: chain] { has_factory: i64::from(has_factory) })
}

/// Sets the most in wei that the operator pays the network a day for the payers of one organisation.
pub(crate) fn set_payer_fees(
    database: &mut dyn Database,
    chain: ChainId,
    per_day: Option<i128>,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "connections" [chain_id: chain] {
        payer_fees_per_day: per_day,
        updated_at: now,
    })
}

/// Whether a venue is connected on a chain.
pub(crate) fn has_venue(database: &mut dyn Database, chain: ChainId) -> Result<bool, StoreError> {
    const ANY: &str = "SELECT chain_id FROM venues WHERE chain_id = ?1";
    Ok(!database.query(ANY, &[chain.into()])?.is_empty())
}

/// The names of the connected venues, by chain.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn venues(database: &mut dyn Database) -> Result<Vec<String>, StoreError> {
    const NAMES: &str = "SELECT name FROM venues ORDER BY chain_id";
    let rows = database.query(NAMES, &[])?;
    rows.iter().map(|row| Ok(row.text(0)?.to_owned())).collect()
}

/// Whether prices are read on a chain.
pub(crate) fn has_price_source(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<bool, StoreError> {
    const ANY: &str = "SELECT source FROM price_sources WHERE chain_id = ?1 LIMIT 1";
    Ok(!database.query(ANY, &[chain.into()])?.is_empty())
}

/// Removes a connection with its blocks.
pub(crate) fn delete(database: &mut dyn Database, chain: ChainId) -> Result<(), StoreError> {
    super::chain_report::delete(database, chain)?;
    super::unconfigured_token::forget_all(database, chain)?;
    delete!(database, "blocks" [chain_id: chain])?;
    delete!(database, "connections" [chain_id: chain])
}

/// Moves the cursor to the next block, which settles blocks up to one.
pub(crate) fn append_block(
    database: &mut dyn Database,
    chain: ChainId,
    (block, settled): (BlockId, u64),
    (base_fee, clock_lag): (i128, Option<i64>),
) -> Result<(), StoreError> {
    const FORGET: &str = "DELETE FROM blocks WHERE chain_id = ?1 AND number <= ?2";
    insert_block(database, chain, block)?;
    // The settled one is compared with the chain.
    let kept = block.number.saturating_sub(BLOCKS_KEPT - 1).min(settled);
    if let Some(last) = kept.checked_sub(1) {
        database.execute(FORGET, &[chain.into(), int(last).into()])?;
    }
    update!(database, "connections" [chain_id: chain] {
        block: int(block.number),
        block_hash: &hex(block.hash),
        settled: int(settled),
        base_fee: base_fee,
        clock_lag: clock_lag,
    })
}

/// Moves the cursor back to a recorded block.
pub(crate) fn drop_blocks(
    database: &mut dyn Database,
    chain: ChainId,
    (to, settled): (BlockId, u64),
) -> Result<(), StoreError> {
    const DROP: &str = "DELETE FROM blocks WHERE chain_id = ?1 AND number > ?2";
    database.execute(DROP, &[chain.into(), int(to.number).into()])?;
    update!(database, "connections" [chain_id: chain] {
        block: int(to.number),
        block_hash: &hex(to.hash),
        settled: int(settled.min(to.number)),
    })
}

fn insert_block(
    database: &mut dyn Database,
    chain: ChainId,
    block: BlockId,
) -> Result<(), StoreError> {
    insert!(database, "blocks" {
        chain_id: chain,
        number: int(block.number),
        hash: &hex(block.hash),
    })
}

/// One of the latest blocks.
pub(crate) fn find_block(
    database: &mut dyn Database,
    chain: ChainId,
    number: u64,
) -> Result<Option<BlockId>, StoreError> {
    const FIND: &str = "SELECT hash FROM blocks WHERE chain_id = ?1 AND number = ?2";
    let hash = columns::value(&database.query(FIND, &[chain.into(), int(number).into()])?)?;
    Ok(hash.map(|hash| BlockId { number, hash }))
}

/// A server's right to read a chain and to send on it.
#[derive(Debug, Clone)]
pub(crate) struct Lease {
    pub(crate) chain: ChainId,
    /// The server; empty before the first one.
    pub(crate) watcher: String,
    pub(crate) until: Timestamp,
}

columns! { Lease { chain, watcher, until } }

/// The leases of the chains that are not paused.
pub(crate) fn leases(database: &mut dyn Database) -> Result<Vec<Lease>, StoreError> {
    const LEASES: &str = "SELECT chain_id, watcher, watched_until FROM connections WHERE paused = 0 ORDER BY chain_id";
    columns::all(&database.query(LEASES, &[])?)
}

/// Takes or renews a lease; false if another server has it at this time. One that ends after the new one is of a clock that was
/// ahead, and does not count.
pub(crate) fn take_lease(
    database: &mut dyn Database,
    new: &Lease,
    now: Timestamp,
) -> Result<bool, StoreError> {
    const TAKE: &str = "UPDATE connections SET watcher = ?2, watched_until = ?3 \
         WHERE chain_id = ?1 AND (watcher = ?2 OR watched_until <= ?4 OR watched_until > ?3)";
    let values = [
        new.chain.into(),
        new.watcher.as_str().into(),
        new.until.into(),
        now.into(),
    ];
    Ok(database.execute(TAKE, &values)? > 0)
}

/// Gives up all leases of a server.
pub(crate) fn end_leases(database: &mut dyn Database, watcher: &str) -> Result<(), StoreError> {
    update!(database, "connections" [watcher: watcher] { watcher: "", watched_until: 0_i64 })
}

/// Records the priority fee that the network takes now.
pub(crate) fn set_priority_fee(
    database: &mut dyn Database,
    chain: ChainId,
    fee: i128,
) -> Result<(), StoreError> {
    update!(database, "connections" [chain_id: chain] { priority_fee: fee })
}
