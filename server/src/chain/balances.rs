//! Asks nodes for the balances of a merchant's own wallet.

use alloy_primitives::{Address, U256};
use settlekit_core::value::ChainId;
use settlekit_service::block::BlockId;
use settlekit_service::opening::Balances;

use super::account::AtBlock;
use super::rpc::{Rpc, RpcError};

/// Nodes that have to agree, if there are that many.
const AGREEING: usize = 2;

/// The balances of a wallet at a block; `None` to ask again later. With several nodes, two must agree.
pub(super) async fn balances(
    nodes: &[Rpc],
    chain: ChainId,
    (wallet, block): (Address, BlockId),
    tokens: &[Option<Address>],
) -> Option<Balances> {
    let needed = AGREEING.min(nodes.len());
    let mut found: Vec<Balances> = Vec::new();
    for node in nodes {
        let balances = match balances_by(node, chain, (wallet, block), tokens).await {
            Ok(units) => Balances {
                wallet,
                block,
                units,
            },
            Err(error) => {
                tracing::warn!(%chain, %wallet, %error, "balances of a wallet not read");
                continue;
            }
        };
        let agreeing = found.iter().filter(|other| **other == balances).count() + 1;
        if agreeing >= needed {
            return Some(balances);
        }
        found.push(balances);
    }
    if found.len() >= AGREEING {
        tracing::error!(%chain, %wallet, "nodes disagree on the balances of a wallet");
    }
    None
}

async fn balances_by(
    node: &Rpc,
    chain: ChainId,
    (wallet, block): (Address, BlockId),
    tokens: &[Option<Address>],
) -> Result<Vec<(Option<Address>, U256)>, RpcError> {
    node.check_chain(chain.get().unsigned_abs()).await?;
    let at = AtBlock::Hash(block.hash);
    let mut units = Vec::with_capacity(tokens.len());
    for token in tokens {
        let balance = match token {
            None => node.native_balance(wallet, at).await?,
            Some(token) => node.token_balance(*token, wallet, at).await?,
        };
        units.push((*token, balance));
    }
    Ok(units)
}
