//! Commands for chains.

use std::process::ExitCode;

use super::failure::Failure;
use super::opening::open;
use super::output::say;
use super::wallet::failure;
use crate::config::{Chain, Store};
use crate::edge;
use settlekit_core::value::ChainId;

pub(super) fn run(command: Chain) -> Result<ExitCode, Failure> {
    match command {
        Chain::Connect { .. } => Err("not yet".into()),
        Chain::List { store, json } => list(&store, json),
        Chain::Pause { store, chain } => pause(&store, chain, true),
        Chain::Resume { store, chain } => pause(&store, chain, false),
        Chain::Disconnect { store, chain } => {
            let mut opened = open(&store)?;
            let done = opened
                .service
                .disconnect_chain(opened.database.as_mut(), chain);
            done.map_err(|error| failure(&store, error))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn pause(store: &Store, chain: ChainId, paused: bool) -> Result<ExitCode, Failure> {
    let mut opened = open(store)?;
    let done =
        opened
            .service
            .set_chain_paused(opened.database.as_mut(), chain, paused, edge::now());
    done.map_err(|error| failure(store, error))?;
    Ok(ExitCode::SUCCESS)
}

fn list(store: &Store, json: bool) -> Result<ExitCode, Failure> {
    let chains = open(store)?.call(|service, database, _, _| service.connected_chains(database))?;
    if json {
        let chains = chains.iter().map(|chain| {
            let symbols = chain.assets.iter().map(|asset| &asset.symbol);
            serde_json::json!({
                "chain_id": chain.chain,
                "name": chain.name,
                "block": chain.head.number,
                "confirmations": chain.confirmations,
                "paused": chain.paused,
                "currencies": symbols.collect::<Vec<_>>(),
            })
        });
        say(&serde_json::Value::Array(chains.collect()).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    if chains.is_empty() {
        say("no chain is connected")?;
    }
    for chain in chains {
        let symbols = chain.assets.iter().map(|asset| asset.symbol.as_str());
        say(&format!(
            "{} ({}): block {}, {} confirmations, {}{}",
            chain.name,
            chain.chain,
            chain.head.number,
            chain.confirmations,
            symbols.collect::<Vec<_>>().join(", "),
            if chain.paused { ", paused" } else { "" }
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
