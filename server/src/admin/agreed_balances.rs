//! Balances on a chain, as two of its nodes agree on them.

use alloy_primitives::{Address, B256, U256};
use settlekit_core::chain::Asset;
use settlekit_service::block::Watch;

use super::failure::Failure;
use crate::chain::account::AtBlock;
use crate::chain::rpc::{self, Rpc, RpcError, RpcFailure, RpcLimits};

/// The nodes of a chain that have the same block.
#[derive(Debug)]
pub(super) struct Nodes {
    same: Vec<Rpc>,
    /// How many must agree.
    needed: usize,
    /// The hosts of nodes with another block.
    pub(super) differing: Vec<String>,
}

impl Nodes {
    /// The nodes that have a block of a hash, or of one hash if it is unknown. Two, unless the chain has only one.
    pub(super) async fn of(
        watch: &Watch,
        number: u64,
        hash: Option<B256>,
    ) -> Result<Self, Failure> {
        let client = rpc::http_client()?;
        let needed = watch.providers.len().clamp(1, 2);
        let (mut found, mut failed) = (Vec::new(), Vec::new());
        for url in &watch.providers {
            let node = Rpc::new(client.clone(), url, RpcLimits::default())?;
            match block_hash(&node, watch, number).await {
                Ok(hash) => found.push((node, hash)),
                Err(error) => failed.push(error.to_string()),
            }
        }
        let is_shared =
            |hash: B256| found.iter().filter(|(_, other)| *other == hash).count() >= needed;
        let common = hash.or_else(|| {
            let mut hashes = found.iter().map(|(_, hash)| *hash);
            hashes.find(|hash| is_shared(*hash))
        });
        let (same, differing): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|(_, hash)| Some(*hash) == common);
        if same.len() < needed {
            let differing = differing
                .iter()
                .map(|(node, _)| format!("{} has another block {number}", node.host()));
            failed.extend(differing);
            return Err(format!(
                "{} of {needed} needed nodes have block {number} as recorded ({})",
                same.len(),
                failed.join("; ")
            )
            .into());
        }
        let host = |(node, _): (Rpc, B256)| node.host().to_owned();
        Ok(Self {
            same: same.into_iter().map(|(node, _)| node).collect(),
            needed,
            differing: differing.into_iter().map(host).collect(),
        })
    }

    /// The balances of addresses in a currency at a block, in their order; `None` for one that too few nodes agree on.
    pub(super) async fn balances(
        &self,
        asset: &Asset,
        addresses: &[Address],
        block: u64,
    ) -> Result<Vec<Option<U256>>, Failure> {
        let mut answers: Vec<Vec<U256>> = Vec::new();
        let mut failed = None;
        for node in &self.same {
            match balances(node, asset, addresses, block).await {
                Ok(found) => answers.push(found),
                Err(error) => failed = Some(error),
            }
            if answers.len() >= self.needed {
                let agreed = agreed(&answers, self.needed, addresses.len());
                if agreed.iter().all(Option::is_some) {
                    return Ok(agreed);
                }
            }
        }
        match failed {
            Some(error) if answers.len() < self.needed => Err(error),
            _ => Ok(agreed(&answers, self.needed, addresses.len())),
        }
    }
}

/// The hash of a node's block at a height.
async fn block_hash(node: &Rpc, watch: &Watch, number: u64) -> Result<B256, RpcError> {
    node.check_chain(watch.chain.get().unsigned_abs()).await?;
    let header = node.header(number).await?;
    let missing = || RpcFailure::Impossible(format!("no block {number}"));
    let header = header.ok_or_else(|| node.error("eth_getBlockByNumber", missing()))?;
    Ok(header.hash)
}

/// The value on which `needed` answers agree, at each position.
fn agreed(answers: &[Vec<U256>], needed: usize, count: usize) -> Vec<Option<U256>> {
    let at = |place: usize| {
        let found: Vec<U256> = answers
            .iter()
            .filter_map(|answer| answer.get(place).copied())
            .collect();
        let count = |value: &U256| found.iter().filter(|other| *other == value).count();
        found.iter().copied().find(|value| count(value) >= needed)
    };
    (0..count).map(at).collect()
}

/// The balances of addresses at a block, in the currency's smallest unit and in the order of the addresses.
async fn balances(
    node: &Rpc,
    asset: &Asset,
    addresses: &[Address],
    block: u64,
) -> Result<Vec<U256>, Failure> {
    let token = asset.token_address.as_deref().map(str::parse::<Address>);
    let at = AtBlock::Height(block);
    Ok(match token {
        None => node.native_balances(addresses, at).await?,
        Some(Ok(token)) => node.token_balances(token, addresses, at).await?,
        Some(Err(_)) => return Err(format!("{} has no EVM contract", asset.symbol).into()),
    })
}
