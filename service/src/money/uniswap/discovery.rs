//! Finds the pools of a chain's tokens, and reads their reserves and liquidity.

use std::collections::BTreeSet;

use alloy_primitives::aliases::U24;
use alloy_primitives::{Address, Bytes, U256};

use super::contracts::{Token, V2Factory, V2Pair, V3Factory, V3Pool, read, returned};
use super::pool::{Pool, PoolAddress, PoolKey, PoolKind, PoolState};
use super::spot::is_sqrt_price;
use super::{PoolError, QuoteError, TOKENS_MAX, Uniswap, V3_FEES};
use crate::evm::contract_calls::{CallError, ContractCall};

/// Return values, in the order of the calls.
pub type Answers = [Result<Bytes, CallError>];

/// Usable pools, and unusable ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovered<T> {
    /// The pools.
    pub pools: Vec<T>,
    /// Why others are left out.
    pub failed: Vec<(PoolKey, PoolError)>,
}

impl<T> Discovered<T> {
    fn of(read: impl Iterator<Item = (PoolKey, Result<Option<T>, PoolError>)>) -> Self {
        let (mut pools, mut failed) = (Vec::new(), Vec::new());
        for (key, result) in read {
            match result {
                Ok(pool) => pools.extend(pool),
                Err(error) => failed.push((key, error)),
            }
        }
        Self { pools, failed }
    }
}

/// Every pool that tokens may have; `None` is the native coin.
///
/// # Errors
/// If there are more than [`TOKENS_MAX`] tokens.
pub fn keys(uniswap: &Uniswap, tokens: &[Option<Address>]) -> Result<Vec<PoolKey>, QuoteError> {
    let tokens = tokens.iter().map(|token| uniswap.contract(*token));
    // Sorted, as in pools. The wrapped native coin may be a token of the chain, too.
    let tokens: BTreeSet<Address> = tokens.collect();
    if tokens.len() > TOKENS_MAX {
        return Err(QuoteError::TooManyTokens);
    }
    let v2 = uniswap.v2.iter().map(|_| PoolKind::V2);
    let fees = uniswap.v3.iter().flat_map(|_| V3_FEES);
    let kinds: Vec<PoolKind> = v2.chain(fees.map(|fee| PoolKind::V3 { fee })).collect();
    let mut keys = Vec::new();
    for token0 in &tokens {
        for token1 in tokens.range(*token0..).skip(1) {
            keys.extend(kinds.iter().map(|kind| PoolKey {
                kind: *kind,
                token0: *token0,
                token1: *token1,
            }));
        }
    }
    Ok(keys)
}

/// The calls that ask the factories for the pools, one for each key.
pub fn address_calls(uniswap: &Uniswap, keys: &[PoolKey]) -> Vec<ContractCall> {
    let calls = keys.iter().filter_map(|key| {
        let (token_a, token_b) = (key.token0, key.token1);
        Some(match key.kind {
            PoolKind::V2 => {
                let call = V2Factory::getPairCall {
                    tokenA: token_a,
                    tokenB: token_b,
                };
                read(uniswap.v2.as_ref()?.factory, &call)
            }
            PoolKind::V3 { fee } => {
                let call = V3Factory::getPoolCall {
                    tokenA: token_a,
                    tokenB: token_b,
                    fee: U24::try_from(fee).ok()?,
                };
                read(uniswap.v3.as_ref()?.factory, &call)
            }
        })
    });
    calls.collect()
}

/// The pools that the factories name, from the return values of [`address_calls`].
pub fn read_addresses(keys: &[PoolKey], answers: &Answers) -> Discovered<PoolAddress> {
    Discovered::of(keys.iter().enumerate().map(|(place, key)| {
        let address = answer(answers, place).and_then(|bytes| {
            let address = match key.kind {
                PoolKind::V2 => returned::<V2Factory::getPairCall>(bytes),
                PoolKind::V3 { .. } => returned::<V3Factory::getPoolCall>(bytes),
            };
            address.ok_or(PoolError::Malformed)
        });
        let pool = address
            .map(|address| (!address.is_zero()).then_some(PoolAddress { key: *key, address }));
        (*key, pool)
    }))
}

/// The calls that read the reserves of pools: two for each of version 2, four for each of version 3.
pub fn state_calls(pools: &[PoolAddress]) -> Vec<ContractCall> {
    let mut calls = Vec::new();
    for pool in pools {
        let (at, key) = (pool.address, &pool.key);
        match key.kind {
            PoolKind::V2 => calls.extend([
                read(at, &V2Pair::token0Call {}),
                read(at, &V2Pair::getReservesCall {}),
            ]),
            PoolKind::V3 { .. } => calls.extend([
                read(at, &V3Pool::liquidityCall {}),
                read(at, &V3Pool::slot0Call {}),
                read(key.token0, &Token::balanceOfCall { owner: at }),
                read(key.token1, &Token::balanceOfCall { owner: at }),
            ]),
        }
    }
    calls
}

/// The pools with liquidity, from the return values of [`state_calls`].
pub fn read_states(pools: &[PoolAddress], answers: &Answers) -> Discovered<Pool> {
    let mut place = 0;
    Discovered::of(pools.iter().map(|pool| {
        let first = place;
        let state = match pool.key.kind {
            PoolKind::V2 => {
                place += 2;
                read_v2(pool, answers, first)
            }
            PoolKind::V3 { .. } => {
                place += 4;
                read_v3(answers, first)
            }
        };
        (pool.key, state.map(|state| Some(Pool { at: *pool, state })))
    }))
}

fn read_v2(pool: &PoolAddress, answers: &Answers, first: usize) -> Result<PoolState, PoolError> {
    let token0 = returned::<V2Pair::token0Call>(answer(answers, first)?);
    if token0.ok_or(PoolError::Malformed)? != pool.key.token0 {
        return Err(PoolError::OtherTokens);
    }
    let reserves = returned::<V2Pair::getReservesCall>(answer(answers, first + 1)?);
    let reserves = reserves.ok_or(PoolError::Malformed)?;
    let reserves = (U256::from(reserves.reserve0), U256::from(reserves.reserve1));
    has_both(reserves)?;
    Ok(PoolState::V2 { reserves })
}

fn read_v3(answers: &Answers, first: usize) -> Result<PoolState, PoolError> {
    let liquidity = returned::<V3Pool::liquidityCall>(answer(answers, first)?);
    let liquidity = liquidity.ok_or(PoolError::Malformed)?;
    let slot0 = returned::<V3Pool::slot0Call>(answer(answers, first + 1)?);
    let sqrt_price = U256::from(slot0.ok_or(PoolError::Malformed)?.sqrtPriceX96);
    let balance = |place| {
        let balance = returned::<Token::balanceOfCall>(answer(answers, place)?);
        balance.ok_or(PoolError::Malformed)
    };
    let balances = (balance(first + 2)?, balance(first + 3)?);
    // Zero before a pool has its first price.
    if liquidity == 0 || sqrt_price.is_zero() {
        return Err(PoolError::NoLiquidity);
    }
    if !is_sqrt_price(sqrt_price) {
        return Err(PoolError::Malformed);
    }
    has_both(balances)?;
    Ok(PoolState::V3 {
        liquidity,
        sqrt_price,
        balances,
    })
}

fn has_both(amounts: (U256, U256)) -> Result<(), PoolError> {
    match amounts.0.is_zero() || amounts.1.is_zero() {
        true => Err(PoolError::NoLiquidity),
        false => Ok(()),
    }
}

fn answer(answers: &Answers, place: usize) -> Result<&Bytes, PoolError> {
    let answer = answers.get(place).ok_or(PoolError::Malformed)?;
    answer.as_ref().map_err(|error| PoolError::Call(*error))
}
