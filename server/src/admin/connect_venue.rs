//! `settlekit venue connect`: reads the factory and wrapped coin of an exchange's contracts from the nodes of its chain.

use alloy_primitives::Address;
use settlekit_core::value::ChainId;
use settlekit_service::uniswap::{Uniswap, UniswapV2, UniswapV3};

use super::failure::{Failure, failure};
use super::opening::Opened;
use crate::chain::account::AtBlock;
use crate::chain::rpc::{self, Rpc, RpcLimits};
use crate::config::{Store, VenueContracts};
use crate::edge;

/// Millionths of a hundredth of a percent.
const BASIS_POINT: u32 = 100;

/// The contracts that the operator names, and the contracts they belong to, as all nodes of the chain report them.
pub(super) fn describe(
    opened: &mut Opened<'_>,
    store: &Store,
    chain: ChainId,
    contracts: &VenueContracts,
) -> Result<Uniswap, Failure> {
    if contracts.v2_router.is_none() && contracts.v3_router.is_none() {
        return Err("a router is needed: set --v2-router, or --v3-router and --v3-quoter".into());
    }
    let seed = edge::seed().map_err(Failure::of(&store.database))?;
    let (service, database) = (&opened.service, opened.database.as_mut());
    let urls = service.nodes_of_chain(database, chain, edge::now(), seed);
    let urls = urls.map_err(|error| failure(store, error))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(agreed(chain, contracts, &urls))
}

async fn agreed(
    chain: ChainId,
    contracts: &VenueContracts,
    urls: &[String],
) -> Result<Uniswap, Failure> {
    let client = rpc::http_client()?;
    let mut agreed: Option<Uniswap> = None;
    for url in urls {
        let node = Rpc::new(client.clone(), url, RpcLimits::default())?;
        node.check_chain(chain.get().unsigned_abs()).await?;
        let described = of_node(&node, contracts).await?;
        if agreed.is_some_and(|agreed| agreed != described) {
            return Err("the nodes disagree on the contracts".into());
        }
        agreed = Some(described);
    }
    agreed.ok_or_else(|| format!("chain {chain} has no node").into())
}

async fn of_node(node: &Rpc, contracts: &VenueContracts) -> Result<Uniswap, Failure> {
    let mut wrapped = Vec::new();
    let v2 = match contracts.v2_router {
        Some(router) => {
            check_code(node, router).await?;
            wrapped.push(node.v2_wrapped_native(router).await?);
            Some(UniswapV2 {
                factory: node.factory_of(router).await?,
                router,
                fee: contracts.v2_fee * BASIS_POINT,
            })
        }
        None => None,
    };
    let v3 = match (contracts.v3_router, contracts.v3_quoter) {
        (Some(router), Some(quoter)) => {
            check_code(node, router).await?;
            check_code(node, quoter).await?;
            let factory = node.factory_of(router).await?;
            if node.factory_of(quoter).await? != factory {
                return Err(format!("the quoter {quoter} is not of the router's factory").into());
            }
            for contract in [router, quoter] {
                wrapped.push(node.v3_wrapped_native(contract).await?);
            }
            Some(UniswapV3 {
                factory,
                quoter,
                router: node.v3_router(router).await?,
            })
        }
        _ => None,
    };
    let first = wrapped.first().copied();
    let wrapped_native = first.ok_or("a router is needed")?;
    if wrapped.iter().any(|other| *other != wrapped_native) {
        return Err("the contracts wrap the native coin into different tokens".into());
    }
    for contract in v2.iter().map(|v2| v2.factory) {
        check_code(node, contract).await?;
    }
    for contract in v3.iter().map(|v3| v3.factory) {
        check_code(node, contract).await?;
    }
    check_code(node, wrapped_native).await?;
    Ok(Uniswap {
        wrapped_native,
        v2,
        v3,
    })
}

async fn check_code(node: &Rpc, contract: Address) -> Result<(), Failure> {
    match node.code(contract, AtBlock::Latest).await?.is_empty() {
        true => Err(format!("{contract} has no code on this chain").into()),
        false => Ok(()),
    }
}
