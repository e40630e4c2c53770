//! `settlekit chain token add`: asks the nodes what the token is, and takes it.

use std::process::ExitCode;

use settlekit_core::chain::Asset;
use settlekit_core::value::ChainId;
use settlekit_service::authorization::TokenDomain;
use settlekit_service::catalogue;

use super::agreed_chain::{agreed_token, domain_of};
use super::connect_chain::tokens_of;
use super::failure::{Failure, failure};
use super::opening::open;
use super::output::{print, say};
use crate::chain::rpc::{self, Rpc, RpcLimits};
use crate::config::{Store, Token};
use crate::edge;

pub(super) fn run(
    store: &Store,
    (chain, token): (ChainId, Token),
    json: bool,
) -> Result<ExitCode, Failure> {
    let mut opened = open(store)?;
    let seed = edge::seed().map_err(Failure::of(&store.database))?;
    let (service, database) = (&opened.service, opened.database.as_mut());
    let urls = service.nodes_of_chain(database, chain, edge::now(), seed);
    let urls = urls.map_err(|error| failure(store, error))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (asset, domain) = runtime.block_on(described(chain, token, &urls))?;
    let token = (&asset, domain.as_ref());
    let done = opened
        .service
        .add_token(opened.database.as_mut(), chain, token, edge::now(), seed);
    done.map_err(|error| failure(store, error))?;
    let is_test = opened.test_chains()?.contains(&chain);
    let fields = [
        ("chain_id", chain.to_string()),
        ("test_network", is_test.to_string()),
        ("currency", asset.symbol.to_string()),
        ("contract", asset.token_address.unwrap_or_default()),
        ("decimal_places", asset.scale.to_string()),
        ("signed_transfers", domain.is_some().to_string()),
    ];
    print(json, &fields)?;
    if !json {
        say(
            "What the wallets hold of it is counted by a running server when the latest block has its confirmations. Earlier payments \
             are not booked.",
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The token, on which all nodes agree.
async fn described(
    chain: ChainId,
    token: Token,
    urls: &[String],
) -> Result<(Asset, Option<TokenDomain>), Failure> {
    let known = catalogue::known(chain.get());
    let mut tokens = tokens_of(chain, &[token], known)?;
    let token = tokens.pop().ok_or("a token needs a symbol")?;
    if urls.is_empty() {
        return Err(format!("chain {chain} has no node").into());
    }
    let client = rpc::http_client()?;
    let mut nodes = Vec::new();
    for url in urls {
        let node = Rpc::new(client.clone(), url, RpcLimits::default())?;
        node.check_chain(chain.get().unsigned_abs()).await?;
        nodes.push(node);
    }
    let contract = token.1;
    let asset = agreed_token(&nodes, token).await?;
    Ok((asset, domain_of(&nodes, chain, contract).await?))
}
