//! Facts about a chain on which all its nodes agree. Any node that differs may lie, the first one too.

use alloy_primitives::Address;
use settlekit_core::chain::{Asset, Chain};
use settlekit_core::value::{ChainId, Currency};
use settlekit_service::authorization::TokenDomain;
use settlekit_service::{FACTORY, catalogue};

use super::failure::Failure;
use crate::chain::account::AtBlock;
use crate::chain::factory;
use crate::chain::node::Heights;
use crate::chain::rpc::Rpc;

/// Decimal places of native coins.
pub(super) const NATIVE_SCALE: u32 = 18;

/// The most blocks per request for logs. The reader asks for fewer when a node refuses.
const LOG_RANGE: u64 = 1000;

/// A token by its symbol, its contract and the decimal places that are known of it.
pub(super) async fn agreed_token(
    nodes: &[Rpc],
    (symbol, contract, scale): (Currency, Address, Option<u32>),
) -> Result<Asset, Failure> {
    let mut agreed: Option<Asset> = None;
    for node in nodes {
        let found = asset(node, symbol.clone(), contract, scale).await?;
        if agreed.is_some_and(|agreed| agreed != found) {
            return Err(format!("the nodes disagree on {contract}").into());
        }
        agreed = Some(found);
    }
    agreed.ok_or_else(|| "no node answers".into())
}

/// Whether the chain has the factory, and the call that deploys it if the operator wishes it.
pub(super) async fn agreed_deployment(
    nodes: &[Rpc],
    chain: &Chain,
    is_wished: bool,
) -> Result<(bool, Option<(Address, Vec<u8>)>), Failure> {
    let mut agreed = None;
    for node in nodes {
        let found = deployment(node, chain, is_wished).await?;
        if agreed.is_some_and(|agreed| agreed != found) {
            return Err(format!("the nodes disagree on the factory of {}", chain.name).into());
        }
        agreed = Some(found);
    }
    agreed.ok_or_else(|| "no node answers".into())
}

/// The number of blocks whose logs every node gives in one answer, up to a block.
pub(super) async fn log_range(nodes: &[Rpc], last: u64, assets: &[Asset]) -> Result<u64, Failure> {
    let contracts = assets
        .iter()
        .filter_map(|asset| asset.token_address.as_deref()?.parse().ok());
    let tokens: Vec<Address> = contracts.collect();
    let mut range = LOG_RANGE;
    for node in nodes {
        loop {
            let first = (last + 1).saturating_sub(range);
            match node.logs_in(Heights { first, last }, &tokens).await {
                Ok(_) => break,
                Err(error) => {
                    // A young chain has fewer blocks than were asked for.
                    let smaller = range.min(last + 1) / 2;
                    let failure = &error.failure;
                    let may_help = failure.may_be_too_much() && failure.may_be_of_request();
                    if smaller == 0 || !may_help {
                        return Err(error.into());
                    }
                    range = smaller;
                }
            }
        }
    }
    Ok(range)
}

/// A token, as its contract describes itself.
async fn asset(
    node: &Rpc,
    symbol: Currency,
    contract: Address,
    scale: Option<u32>,
) -> Result<Asset, Failure> {
    if node.code(contract, AtBlock::Latest).await?.is_empty() {
        return Err(format!("{symbol} is not there: {contract} has no code on this chain").into());
    }
    let found = u32::from(node.token_decimals(contract).await?);
    if let Some(scale) = scale
        && scale != found
    {
        return Err(format!("{contract} has {found} decimal places; {symbol} has {scale}").into());
    }
    let own = node.token_symbol(contract).await?;
    if !catalogue::is_symbol(&own, symbol.as_str()) {
        // The contract's own text is not shown: it may be anything.
        return Err(format!("{contract} has another symbol than {symbol}").into());
    }
    if found > NATIVE_SCALE {
        return Err(format!("{contract} has {found} decimal places; at most 18 are kept").into());
    }
    Ok(Asset {
        symbol,
        scale: found,
        token_address: Some(contract.to_string()),
    })
}

/// Whether the chain has the factory, and the call that deploys it if the operator wishes it.
async fn deployment(
    node: &Rpc,
    chain: &Chain,
    is_wished: bool,
) -> Result<(bool, Option<(Address, Vec<u8>)>), Failure> {
    let factory = &*factory::THIS;
    let code = node.code(FACTORY, AtBlock::Latest).await?;
    if factory.is_code(&code) {
        return Ok((true, None));
    }
    if !code.is_empty() {
        return Err(format!(
            "{FACTORY} on {} has other code than the factory",
            chain.name
        )
        .into());
    }
    if !is_wished {
        return Ok((false, None));
    }
    let deployer = node.code(factory.deployer, AtBlock::Latest).await?;
    if deployer.is_empty() {
        return Err(format!(
            "{} lacks the deterministic deployment proxy {}, which deploys the factory of proxy wallets: without --deploy, \
             addresses are derived from the hot wallet's seed",
            chain.name, factory.deployer
        )
        .into());
    }
    Ok((false, Some((factory.deployer, factory.deployment()))))
}

/// The domain of a token's signed transfers, if all nodes tell the same.
pub(super) async fn domain_of(
    nodes: &[Rpc],
    chain: ChainId,
    contract: Address,
) -> Result<Option<TokenDomain>, Failure> {
    let mut agreed: Option<Option<TokenDomain>> = None;
    for node in nodes {
        let found = node.token_domain(chain, contract).await?;
        if agreed.is_some_and(|agreed| agreed != found) {
            return Err(format!("the nodes disagree on {contract}").into());
        }
        agreed = Some(found);
    }
    Ok(agreed.flatten())
}
