//! Routes of one or two hops from a token to another.

use alloy_primitives::{Address, Bytes};

use super::Uniswap;
use super::pool::{Pool, PoolAddress, PoolKind};

/// The pools of version 3 that each hop of a longer route may go through: those with the most liquidity of its pair.
const POOLS_OF_HOP: usize = 2;

/// A swap in one pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    /// The pool.
    pub pool: PoolAddress,
    /// The token that goes in.
    pub from: Address,
    /// The token that comes out.
    pub to: Address,
}

/// Hops through pools of one version. Each sells the currency that the previous one bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// At least one.
    hops: Vec<Hop>,
}

impl Route {
    /// Joins hops; `None` if there are none, or if one sells another currency than the previous one bought.
    pub fn new(hops: Vec<Hop>) -> Option<Self> {
        let pairs = hops.windows(2);
        let is_joined = pairs.into_iter().all(|pair| pair[0].to == pair[1].from);
        (is_joined && !hops.is_empty()).then_some(Self { hops })
    }

    /// The hops, in order.
    pub fn hops(&self) -> &[Hop] {
        &self.hops
    }

    /// The version of all hops.
    pub(super) fn kind(&self) -> Option<PoolKind> {
        self.hops.first().map(|hop| hop.pool.key.kind)
    }

    /// The sold token.
    pub(super) fn sold(&self) -> Option<Address> {
        self.hops.first().map(|hop| hop.from)
    }

    /// The bought token.
    pub(super) fn bought(&self) -> Option<Address> {
        self.hops.last().map(|hop| hop.to)
    }

    /// Fees of all hops together, in millionths of the sold amount, rounded up.
    pub fn fee(&self, uniswap: &Uniswap) -> u32 {
        let million = u64::from(super::MILLION);
        let left = self.hops.iter().fold(million, |left, hop| {
            let fee = u64::from(uniswap.fee(hop.pool.key.kind));
            left * million.saturating_sub(fee) / million
        });
        u32::try_from(million - left).unwrap_or(super::MILLION)
    }

    /// The tokens, in order, as version 2 has a path.
    pub(super) fn tokens(&self) -> Vec<Address> {
        let to = self.hops.iter().map(|hop| hop.to);
        self.sold().into_iter().chain(to).collect()
    }

    /// The packed path of version 3: token, fee, token, fee, token.
    pub(super) fn path(&self) -> Bytes {
        let hops = self.hops.iter().map(|hop| (hop.from, hop.to, hop));
        packed(hops)
    }

    /// The packed path of version 3 for an exact output: from the bought token to the sold one.
    pub(super) fn reversed_path(&self) -> Bytes {
        let hops = self.hops.iter().rev().map(|hop| (hop.to, hop.from, hop));
        packed(hops)
    }
}

fn packed<'a>(hops: impl Iterator<Item = (Address, Address, &'a Hop)>) -> Bytes {
    let mut path = Vec::new();
    for (from, to, hop) in hops {
        if path.is_empty() {
            path.extend(from);
        }
        if let PoolKind::V3 { fee } = hop.pool.key.kind {
            path.extend(&fee.to_be_bytes()[1..]);
        }
        path.extend(to);
    }
    path.into()
}

/// The routes through pools: all direct ones, then those of two hops.
pub(super) fn routes(pools: &[Pool], sold: Address, bought: Address) -> Vec<Route> {
    let hop = |pool: &Pool, from: Address| {
        let to = pool.at.key.other(from)?;
        Some(Hop {
            pool: pool.at,
            from,
            to,
        })
    };
    let direct = pools.iter().filter_map(|pool| hop(pool, sold));
    let direct = direct.filter(|hop| hop.to == bought);
    let mut routes: Vec<Route> = direct.map(|hop| Route { hops: vec![hop] }).collect();
    let deepest = deepest(pools);
    for first in &deepest {
        let Some(first) = hop(first, sold).filter(|first| first.to != bought) else {
            continue;
        };
        for second in &deepest {
            let second = hop(second, first.to).filter(|second| second.to == bought);
            let second = second.filter(|second| {
                let kind = second.pool.key.kind;
                first.pool.key.kind.is_same_version(kind)
            });
            routes.extend(second.map(|second| Route {
                hops: vec![first, second],
            }));
        }
    }
    routes
}

/// The pools with the most liquidity of each version and pair.
fn deepest(pools: &[Pool]) -> Vec<&Pool> {
    let is_deep = |pool: &&Pool| {
        let key = &pool.at.key;
        let deeper = pools.iter().filter(|other| {
            let than = &other.at.key;
            (than.token0, than.token1) == (key.token0, key.token1)
                && than.kind.is_same_version(key.kind)
                && (other.liquidity(), than.kind) > (pool.liquidity(), key.kind)
        });
        deeper.count() < POOLS_OF_HOP
    };
    pools.iter().filter(is_deep).collect()
}
