//! Exchanges on connected chains, and the pools of their tokens.

use alloy_primitives::{Address, U256};
use settlekit_core::value::{ChainId, Timestamp};

use super::columns::{self, columns};
use super::hex;
use super::poll_state::PollState;
use super::sql::{Database, StoreError};
use super::statement::{delete, insert, update};

/// An exchange on a chain.
#[derive(Debug, Clone)]
pub(crate) struct Venue {
    pub(crate) chain: ChainId,
    pub(crate) contracts: Contracts,
    pub(crate) state: PollState,
}

/// The contracts that the operator connected.
#[derive(Debug, Clone)]
pub(crate) struct Contracts {
    pub(crate) name: String,
    pub(crate) wrapped_native: Address,
    pub(crate) v2_factory: Option<Address>,
    pub(crate) v2_router: Option<Address>,
    /// In millionths.
    pub(crate) v2_fee: Option<u32>,
    pub(crate) v3_factory: Option<Address>,
    pub(crate) v3_quoter: Option<Address>,
    pub(crate) v3_router: Option<Address>,
    /// Whether that is `SwapRouter02`.
    pub(crate) v3_router_is_second: bool,
    /// How much worse than its quote a swap may be, in millionths.
    pub(crate) slippage: u32,
}

columns! { Contracts {
    name, wrapped_native, v2_factory, v2_router, v2_fee, v3_factory, v3_quoter, v3_router, v3_router_is_second, slippage
} }

/// The columns before those of [`PollState`]: the chain and [`Contracts`].
const STATE: usize = 11;

impl columns::Columns for Venue {
    fn read(row: &super::sql::Row, first: usize) -> Result<Self, StoreError> {
        Ok(Self {
            chain: columns::get(row, first)?,
            contracts: Contracts::read(row, first + 1)?,
            state: PollState::read(row, first + STATE)?,
        })
    }
}

macro_rules! venue_columns {
    () => {
        "SELECT chain_id, name, wrapped_native, v2_factory, v2_router, v2_fee, v3_factory, v3_quoter, v3_router, v3_router_is_second, \
         slippage, due_at, asked_at, failures, failing_since, last_error, succeeded_at FROM venues"
    };
}

/// All venues, by chain.
pub(crate) fn all_venues(database: &mut dyn Database) -> Result<Vec<Venue>, StoreError> {
    const ALL: &str = concat!(venue_columns!(), " ORDER BY chain_id");
    columns::all(&database.query(ALL, &[])?)
}

/// The venue of a chain, locked until the database transaction ends: of two servers one reads its pools, or reports them.
pub(crate) fn lock(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Option<Venue>, StoreError> {
    const LOCK: &str = concat!(venue_columns!(), " WHERE chain_id = ?1 FOR UPDATE");
    columns::first(&database.query(LOCK, &[chain.into()])?)
}

/// The venue of a chain.
pub(crate) fn find(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Option<Venue>, StoreError> {
    const FIND: &str = concat!(venue_columns!(), " WHERE chain_id = ?1");
    columns::first(&database.query(FIND, &[chain.into()])?)
}

/// Connects a venue, whose pools are due at once.
pub(crate) fn insert(
    database: &mut dyn Database,
    chain: ChainId,
    contracts: &Contracts,
    now: Timestamp,
) -> Result<(), StoreError> {
    insert!(database, "venues" {
        chain_id: chain,
        name: contracts.name.as_str(),
        wrapped_native: &hex(contracts.wrapped_native),
        v2_factory: &contracts.v2_factory.map(hex),
        v2_router: &contracts.v2_router.map(hex),
        v2_fee: contracts.v2_fee.map(i64::from),
        v3_factory: &contracts.v3_factory.map(hex),
        v3_quoter: &contracts.v3_quoter.map(hex),
        v3_router: &contracts.v3_router.map(hex),
        v3_router_is_second: contracts.v3_router_is_second,
        slippage: i64::from(contracts.slippage),
        due_at: now,
        created_at: now,
    })
}

/// Disconnects the venue of a chain, with its pools.
pub(crate) fn delete(database: &mut dyn Database, chain: ChainId) -> Result<(), StoreError> {
    delete!(database, "venue_pools" [chain_id: chain])?;
    delete!(database, "venues" [chain_id: chain])
}

/// Records how reading the pools of a venue goes.
pub(crate) fn set_state(
    database: &mut dyn Database,
    chain: ChainId,
    state: &PollState,
) -> Result<(), StoreError> {
    update!(database, "venues" [chain_id: chain] {
        due_at: state.due_at,
        asked_at: state.asked_at,
        failures: state.failures,
        failing_since: state.failing_since,
        last_error: &state.last_error,
        succeeded_at: state.succeeded_at,
    })
}

/// A pool of a venue.
#[derive(Debug, Clone)]
pub(crate) struct StoredPool {
    /// Its number, of instruments.
    pub(crate) id: i64,
    pub(crate) address: Address,
    pub(crate) token0: Address,
    pub(crate) token1: Address,
    /// In millionths; `None` of version 2.
    pub(crate) fee: Option<u32>,
    pub(crate) held: Held,
}

/// The state of a pool when it was read; without values it cannot be used.
#[derive(Debug, Clone, Default)]
pub(crate) struct Held {
    /// Reserves or balances, in smallest units.
    pub(crate) held0: Option<U256>,
    pub(crate) held1: Option<U256>,
    /// Of version 3.
    pub(crate) liquidity: Option<U256>,
    pub(crate) sqrt_price: Option<U256>,
}

columns! { Held { held0, held1, liquidity, sqrt_price } }

/// The columns before those of [`Held`].
const HELD: usize = 5;

impl columns::Columns for StoredPool {
    fn read(row: &super::sql::Row, first: usize) -> Result<Self, StoreError> {
        let column = |place: usize| first + place;
        Ok(Self {
            id: columns::get(row, column(0))?,
            address: columns::get(row, column(1))?,
            token0: columns::get(row, column(2))?,
            token1: columns::get(row, column(3))?,
            fee: columns::get(row, column(4))?,
            held: Held::read(row, column(HELD))?,
        })
    }
}

/// The pools of a venue, in the order in which they were found.
pub(crate) fn pools(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Vec<StoredPool>, StoreError> {
    const POOLS: &str = "SELECT id, address, token0, token1, fee, held0, held1, liquidity, sqrt_price FROM venue_pools \
         WHERE chain_id = ?1 ORDER BY id";
    columns::all(&database.query(POOLS, &[chain.into()])?)
}

/// Adds a pool that was found, unless it is there.
pub(crate) fn add_pool(
    database: &mut dyn Database,
    chain: ChainId,
    (address, tokens, fee): (Address, (Address, Address), Option<u32>),
) -> Result<(), StoreError> {
    const ADD: &str = "INSERT INTO venue_pools (chain_id, address, token0, token1, fee) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (chain_id, address) DO NOTHING";
    let (address, token0, token1) = (hex(address), hex(tokens.0), hex(tokens.1));
    let values = [
        chain.into(),
        (&address).into(),
        (&token0).into(),
        (&token1).into(),
        fee.map(i64::from).into(),
    ];
    database.execute(ADD, &values).map(drop)
}

/// Records the reserves of a pool.
pub(crate) fn set_held(
    database: &mut dyn Database,
    id: i64,
    held: &Held,
) -> Result<(), StoreError> {
    let text = |value: Option<U256>| value.map(|value| value.to_string());
    update!(database, "venue_pools" [id: id] {
        held0: &text(held.held0),
        held1: &text(held.held1),
        liquidity: &text(held.liquidity),
        sqrt_price: &text(held.sqrt_price),
    })
}

/// Removes a pool that cannot be traded any more: one of its tokens was removed from the chain.
pub(crate) fn remove_pool(database: &mut dyn Database, id: i64) -> Result<(), StoreError> {
    delete!(database, "venue_pools" [id: id])
}
