//! Discovers the pools of the exchanges on connected chains, and reads their reserves.
//!
//! The host sends the calls of a round to every node and reports the answers. A round without a report is read again.

use std::time::Duration;

use alloy_primitives::{Address, U256};
use settlekit_core::value::{ChainId, Timestamp};

use super::connection;
use super::uniswap::discovery::{self, Discovered};
use super::uniswap::{Pool, PoolAddress, PoolError, PoolKey, PoolKind, PoolState};
use super::venue_contracts;
use crate::evm::contract_calls::CallError;
use crate::evm::node_calls::{NodeAnswers, NodeCalls};
use crate::mode::Mode;
use crate::random::{Random, Seed};
use crate::store::sql::{Database, StoreError};
use crate::store::venue::{self, Held, StoredPool, Venue};
use crate::unit::Unit;
use crate::{Service, store};

/// The time from one success to the next round. Providers of nodes charge for each call.
const PACE: Duration = Duration::from_secs(5 * 60);

/// The calls to make to the nodes of a chain now. All answers are reported together.
#[derive(Debug, Clone)]
pub struct PoolRound {
    /// The calls for every node.
    pub calls: NodeCalls,
    /// When it is read: names the round.
    pub asked_at: Timestamp,
    /// The pools that there may be. Their calls come first.
    keys: Vec<PoolKey>,
    /// The pools that were found before.
    pools: Vec<(i64, PoolAddress)>,
}

impl Service {
    /// The chains whose pools are due. To be asked for before [`Service::pool_rounds`], which writes.
    ///
    /// # Errors
    /// If the database failed.
    pub fn due_pools(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
    ) -> Result<Vec<ChainId>, StoreError> {
        if self.options().mode != Mode::Live {
            return Ok(Vec::new());
        }
        let all = venue::all_venues(database)?.into_iter();
        let due = all.filter(|venue| venue.state.is_due(now));
        Ok(due.map(|venue| venue.chain).collect())
    }

    /// The rounds to read now. Each is read again after a minute unless it is reported, so that of several servers one reads it.
    ///
    /// # Errors
    /// If the database failed.
    pub fn pool_rounds(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<PoolRound>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            let mut rounds = Vec::new();
            for venue in venue::all_venues(unit.database)? {
                rounds.extend(round(&mut unit, venue.chain)?);
            }
            Ok(rounds)
        })
    }

    /// Records the answers of the nodes, one for each of them. Returns the failures to log.
    ///
    /// # Errors
    /// If the database failed; the pools are read again later.
    pub fn report_pools(
        &self,
        database: &mut dyn Database,
        round: &PoolRound,
        answers: &[NodeAnswers],
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<String>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            report(&mut unit, round, answers)?;
            Ok(unit.failures)
        })
    }
}

/// The round of a venue, if it is due.
fn round(unit: &mut Unit<'_>, chain: ChainId) -> Result<Option<PoolRound>, StoreError> {
    let now = unit.now;
    let found = venue::lock(unit.database, chain)?;
    let Some(venue) = found.filter(|venue| venue.state.is_due(now)) else {
        return Ok(None);
    };
    let connected = store::connection::find(unit.database, chain)?;
    let Some(connected) = connected.filter(|connected| !connected.paused) else {
        fail(unit, &venue, "the chain is paused")?;
        return Ok(None);
    };
    let contracts = venue_contracts::read(&venue.contracts)?;
    let keys = match discovery::keys(&contracts, &tokens(unit.database, chain)?) {
        Ok(keys) => keys,
        Err(error) => {
            fail(unit, &venue, &error.to_string())?;
            return Ok(None);
        }
    };
    let pools = current_pools(unit.database, chain, &keys)?;
    let addresses: Vec<PoolAddress> = pools.iter().map(|(_, pool)| *pool).collect();
    let mut calls = discovery::address_calls(&contracts, &keys);
    calls.extend(discovery::state_calls(&addresses));
    venue::set_state(unit.database, chain, &venue.state.after_request(now))?;
    let nodes = connection::node_urls(unit, &connected)?;
    Ok(Some(PoolRound {
        calls: NodeCalls::new((chain, connected.head().hash), nodes, &calls),
        asked_at: now,
        keys,
        pools,
    }))
}

/// The contracts of a chain's currencies; `None` is the native coin.
pub(super) fn tokens(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Vec<Option<Address>>, StoreError> {
    let assets = store::chain::assets(database, chain)?.into_iter();
    let damaged = |_| StoreError::Damaged("a token's contract is no address".to_owned());
    let tokens = assets.map(|asset| {
        let address = asset.token_address.map(|address| address.parse());
        address.transpose().map_err(damaged)
    });
    tokens.collect()
}

/// The pools that were found, without those of tokens that were removed.
fn current_pools(
    database: &mut dyn Database,
    chain: ChainId,
    keys: &[PoolKey],
) -> Result<Vec<(i64, PoolAddress)>, StoreError> {
    let mut current = Vec::new();
    for stored in venue::pools(database, chain)? {
        let pool = address_of(&stored);
        if keys.contains(&pool.key) {
            current.push((stored.id, pool));
        } else {
            venue::remove_pool(database, stored.id)?;
        }
    }
    Ok(current)
}

fn address_of(stored: &StoredPool) -> PoolAddress {
    let kind = match stored.fee {
        Some(fee) => PoolKind::V3 { fee },
        None => PoolKind::V2,
    };
    PoolAddress {
        key: PoolKey {
            kind,
            token0: stored.token0,
            token1: stored.token1,
        },
        address: stored.address,
    }
}

/// The pools of a venue that can be used, with their numbers.
pub(crate) fn usable_pools(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Vec<(i64, Pool)>, StoreError> {
    let stored = venue::pools(database, chain)?.into_iter();
    let usable = stored.filter_map(|stored| {
        let state = state_of(&stored.held)?;
        let at = address_of(&stored);
        Some((stored.id, Pool { at, state }))
    });
    Ok(usable.collect())
}

fn state_of(held: &Held) -> Option<PoolState> {
    let both = (held.held0?, held.held1?);
    let state = match (held.liquidity, held.sqrt_price) {
        (Some(liquidity), Some(sqrt_price)) => PoolState::V3 {
            liquidity: u128::try_from(liquidity).ok()?,
            sqrt_price,
            balances: both,
        },
        _ => PoolState::V2 { reserves: both },
    };
    Some(state)
}

fn held(state: PoolState) -> Held {
    match state {
        PoolState::V2 { reserves } => Held {
            held0: Some(reserves.0),
            held1: Some(reserves.1),
            ..Held::default()
        },
        PoolState::V3 {
            liquidity,
            sqrt_price,
            balances,
        } => Held {
            held0: Some(balances.0),
            held1: Some(balances.1),
            liquidity: Some(U256::from(liquidity)),
            sqrt_price: Some(sqrt_price),
        },
    }
}

fn report(
    unit: &mut Unit<'_>,
    round: &PoolRound,
    answers: &[NodeAnswers],
) -> Result<(), StoreError> {
    let venue = venue::lock(unit.database, round.calls.chain)?;
    // Disconnected, or another server has read it.
    let Some(venue) = venue.filter(|venue| venue.state.asked_at == round.asked_at) else {
        return Ok(());
    };
    let returned = round.calls.read(answers, unit.now);
    let (named, held) = returned.split_at(round.keys.len().min(returned.len()));
    let addresses: Vec<PoolAddress> = round.pools.iter().map(|(_, pool)| *pool).collect();
    let found = discovery::read_addresses(&round.keys, named);
    let states = discovery::read_states(&addresses, held);
    let errors = found.failed.iter().chain(&states.failed);
    let errors: Vec<CallError> = errors.filter_map(|(_, error)| call_error(error)).collect();
    if errors.len() == round.keys.len() + round.pools.len()
        && let Some(first) = errors.first()
    {
        return fail(unit, &venue, &first.to_string());
    }
    for pool in &found.pools {
        let fee = match pool.key.kind {
            PoolKind::V2 => None,
            PoolKind::V3 { fee } => Some(fee),
        };
        let tokens = (pool.key.token0, pool.key.token1);
        venue::add_pool(
            unit.database,
            round.calls.chain,
            (pool.address, tokens, fee),
        )?;
    }
    write_states(unit, round, &states)?;
    let knows_all = found.pools.iter().all(|pool| addresses.contains(pool));
    // The reserves of new pools are read at once.
    let due_at = match knows_all {
        true => unit.now.plus(PACE),
        false => unit.now,
    };
    let error = errors.first().map(ToString::to_string);
    let state = venue.state.after_success(unit.now, due_at, error);
    venue::set_state(unit.database, round.calls.chain, &state)
}

/// A pool without an answer stays as it was: its next round says more. One that cannot be used is left out until it can.
fn write_states(
    unit: &mut Unit<'_>,
    round: &PoolRound,
    states: &Discovered<Pool>,
) -> Result<(), StoreError> {
    for (id, address) in &round.pools {
        let read = states.pools.iter().find(|pool| pool.at == *address);
        let failed = states.failed.iter().find(|(key, _)| *key == address.key);
        let held = match (read, failed) {
            (Some(pool), _) => held(pool.state),
            (None, Some((_, error))) if call_error(error).is_some() => continue,
            (None, _) => Held::default(),
        };
        venue::set_held(unit.database, *id, &held)?;
    }
    Ok(())
}

const fn call_error(error: &PoolError) -> Option<CallError> {
    match error {
        PoolError::Call(error) => Some(*error),
        PoolError::Malformed | PoolError::OtherTokens | PoolError::NoLiquidity => None,
    }
}

fn fail(unit: &mut Unit<'_>, venue: &Venue, error: &str) -> Result<(), StoreError> {
    let state = venue.state.after_failure(unit.now, error);
    if state.failures == 1 {
        let name = &venue.contracts.name;
        let failure = format!(
            "the pools of {name} on chain {} cannot be read: {error}",
            venue.chain
        );
        unit.failures.push(failure);
    }
    venue::set_state(unit.database, venue.chain, &state)
}
