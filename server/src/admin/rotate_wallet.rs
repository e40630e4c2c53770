//! `settlekit wallet rotate`: asks the nodes that nobody has used the new wallet, and puts it into use.

use std::process::ExitCode;

use alloy_primitives::{Address, U256};
use settlekit_core::chain::Asset;
use settlekit_core::value::ChainId;
use settlekit_service::operator::{NewKey, OperatorError};

use super::connect_chain::{balance, count_of};
use super::failure::{Failure, failure};
use super::opening::{Opened, open};
use super::output::{print, say, test_mark};
use super::wallet_key::{address_of_signer, read_words};
use crate::chain::rpc::{self, Rpc, RpcLimits};
use crate::config::Store;
use crate::edge;

/// Keys that are tried until one is found that nobody has used.
const TRIES_MAX: u32 = 20;

/// A connected chain with its nodes.
struct Nodes {
    chain: ChainId,
    /// With the mark of test money.
    name: String,
    urls: Vec<String>,
    assets: Vec<Asset>,
}

/// Whether words come from standard input, and a signer with its address.
type KeySource = (bool, Option<(String, Option<Address>)>);

pub(super) fn run(
    store: &Store,
    (import, signer): KeySource,
    json: bool,
) -> Result<ExitCode, Failure> {
    let words = import.then(read_words).transpose()?;
    let mut opened = open(store)?;
    let chains = nodes(store, &mut opened)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let named = match (&words, &signer) {
        (Some(words), _) => Some(NewKey::Words(words)),
        (None, Some((url, address))) => {
            let address = runtime.block_on(address_of_signer(url, *address))?;
            Some(NewKey::Signer { address, url })
        }
        (None, None) => None,
    };
    let key = match named {
        Some(key) => {
            let address = address_of(store, &mut opened, key)?;
            if let Some(chain) = runtime.block_on(used_on(&chains, address))? {
                return Err(format!(
                    "{address} has been used on {chain}: a hot wallet must be new. Use another key"
                )
                .into());
            }
            key
        }
        None => next_key(store, &mut opened, &chains, &runtime)?,
    };
    let (now, seed) = (
        edge::now(),
        edge::seed().map_err(Failure::of(&store.database))?,
    );
    let made = opened
        .service
        .rotate_wallet(opened.database.as_mut(), key, now, seed);
    let address = made.map_err(|error| failure(store, error))?;
    print(json, &[("address", address.to_string())])?;
    if !json {
        let names: Vec<&str> = chains.iter().map(|chain| chain.name.as_str()).collect();
        say(&format!(
            "Send it gas money on {}: payouts wait until it is there. The old wallet keeps its gas money, with which it sends on \
             what it holds and what still arrives. Keep its words.",
            names.join(", ")
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn nodes(store: &Store, opened: &mut Opened<'_>) -> Result<Vec<Nodes>, Failure> {
    let chains = opened.call(|service, database, _, _| service.connected_chains(database))?;
    let mut all = Vec::new();
    for chain in chains {
        let seed = edge::seed().map_err(Failure::of(&store.database))?;
        let (service, database) = (&opened.service, opened.database.as_mut());
        let urls = service.nodes_of_chain(database, chain.chain, edge::now(), seed);
        all.push(Nodes {
            chain: chain.chain,
            name: format!("{}{}", chain.name, test_mark(chain.is_test)),
            urls: urls.map_err(|error| failure(store, error))?,
            assets: chain.assets,
        });
    }
    Ok(all)
}

fn address_of(store: &Store, opened: &mut Opened<'_>, key: NewKey<'_>) -> Result<Address, Failure> {
    let address = find_address(store, opened, key)?;
    address.map_err(|error| failure(store, error))
}

fn find_address(
    store: &Store,
    opened: &mut Opened<'_>,
    key: NewKey<'_>,
) -> Result<Result<Address, OperatorError>, Failure> {
    let seed = edge::seed().map_err(Failure::of(&store.database))?;
    let (service, database) = (&opened.service, opened.database.as_mut());
    Ok(service.address_of_key(database, key, edge::now(), seed))
}

/// The next key of the words in use that nobody has used.
fn next_key(
    store: &Store,
    opened: &mut Opened<'_>,
    chains: &[Nodes],
    runtime: &tokio::runtime::Runtime,
) -> Result<NewKey<'static>, Failure> {
    let wallets = opened.call(|service, database, _, _| service.wallets(database))?;
    let current = wallets.iter().find(|wallet| wallet.retired_at.is_none());
    let Some(current) = current else {
        return Err(OperatorError::NoWallet.to_string().into());
    };
    for after in 1..=TRIES_MAX {
        let key = NewKey::Index(current.derivation_index.saturating_add(after));
        match find_address(store, opened, key)? {
            Ok(address) => {
                if runtime.block_on(used_on(chains, address))?.is_none() {
                    return Ok(key);
                }
            }
            Err(OperatorError::WalletKnown(_)) => {}
            Err(error) => return Err(failure(store, error)),
        }
    }
    Err(format!(
        "the next {TRIES_MAX} keys of the words have been used: take other words, --import"
    )
    .into())
}

/// The chain on which an address has been used, if any. What it had before would be in no books, and its nonces would be wrong.
async fn used_on(chains: &[Nodes], address: Address) -> Result<Option<String>, Failure> {
    let client = rpc::http_client()?;
    for chain in chains {
        let mut nodes = Vec::new();
        for url in &chain.urls {
            let node = Rpc::new(client.clone(), url, RpcLimits::default())?;
            node.check_chain(chain.chain.get().unsigned_abs()).await?;
            nodes.push(node);
        }
        let mut is_used = count_of(&nodes, address).await? > 0;
        for node in &nodes {
            let head = node.latest().await?.number;
            for asset in &chain.assets {
                is_used = is_used || balance(node, asset, address, head).await? > U256::ZERO;
            }
        }
        if is_used {
            return Ok(Some(chain.name.clone()));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use settlekit_service::Words;

    use super::*;

    #[test]
    fn words_are_not_part_of_a_message() {
        let words = Words::parse("test test test test test test test test test test test junk");
        let words = words.expect("the words are valid");
        assert_eq!(
            format!("{:?}", NewKey::Words(&words)),
            "Words(Words(hidden))"
        );
    }
}
