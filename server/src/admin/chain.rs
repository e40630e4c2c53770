//! Commands for chains.

use std::process::ExitCode;

use settlekit_core::value::{Amount, ChainId};
use settlekit_service::block::UnconfiguredToken;
use settlekit_service::operator::{Factory, OperatorError};

use super::add_token;
use super::agreed_chain::NATIVE_SCALE;
use super::connect_chain::{ChainSettings, describe};
use super::failure::{Failure, failure};
use super::opening::open;
use super::output::{print, say, test_mark};
use crate::config::{Chain, ChainToken, Store};
use crate::edge;

/// Tokens that are not configured, listed for each chain.
const UNCONFIGURED_SHOWN: usize = 5;

pub(super) fn run(command: Chain) -> Result<ExitCode, Failure> {
    match command {
        Chain::Connect {
            store,
            chain,
            rpc,
            confirmations,
            token,
            name,
            native,
            block_seconds,
            explorer,
            public_rpc,
            test_network,
            no_test_network,
            deploy,
            no_traces,
            no_mempool,
            json,
        } => {
            let wish = ChainSettings {
                chain,
                urls: rpc,
                confirmations,
                tokens: token,
                name,
                native,
                block_seconds,
                explorer,
                public_rpc,
                is_test: test_network,
                clears_test_network: no_test_network,
                deploy,
                no_traces,
                no_mempool,
            };
            connect(&store, wish, json)
        }
        Chain::List { store, json } => list(&store, json),
        Chain::Token(ChainToken::Add {
            store,
            chain,
            token,
            json,
        }) => add_token::run(&store, (chain, token), json),
        Chain::PayerFees {
            store,
            chain,
            per_day,
        } => payer_fees(&store, chain, per_day),
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

fn connect(store: &Store, wish: ChainSettings, json: bool) -> Result<ExitCode, Failure> {
    let mut opened = open(store)?;
    let wallets = opened.call(|service, database, _, _| service.hot_wallets(database))?;
    if wallets.is_empty() {
        return Err(OperatorError::NoWallet.to_string().into());
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let new = runtime.block_on(describe(wish, &wallets))?;
    let (now, seed) = (
        edge::now(),
        edge::seed().map_err(Failure::of(&store.database))?,
    );
    let done = opened
        .service
        .connect_chain(opened.database.as_mut(), &new, now, seed);
    done.map_err(|error| failure(store, error))?;
    let symbols = new.assets.iter().map(|asset| asset.symbol.as_str());
    let domains = new.domains.iter();
    let signed = domains.filter_map(|(symbol, domain)| domain.as_ref().map(|_| symbol.as_str()));
    let fields = [
        ("chain_id", new.chain.id.to_string()),
        ("name", new.chain.name.clone()),
        ("test_network", new.is_test.to_string()),
        ("block", new.head.number.to_string()),
        (
            "confirmations",
            confirmations(new.finality, new.confirmations),
        ),
        ("currencies", symbols.collect::<Vec<_>>().join(",")),
        ("signed_transfers", signed.collect::<Vec<_>>().join(",")),
        ("traces", new.traces.to_string()),
        ("log_range", new.log_range.to_string()),
        (
            "factory",
            match (new.has_factory, &new.deploy) {
                (true, _) => "deployed",
                (false, Some(_)) => "deploying",
                (false, None) => "missing",
            }
            .to_owned(),
        ),
    ];
    if !json && new.is_test {
        say("The money of this chain is test money: it has no value.")?;
    }
    if !json && !new.has_factory && new.deploy.is_none() {
        say(
            "The chain has no factory of proxy wallets: pay-in addresses are derived from the hot wallet's seed. `--deploy` deploys it.",
        )?;
    }
    print(json, &fields)
}

fn confirmations(finality: bool, confirmations: u32) -> String {
    match finality {
        true => "finalized".to_owned(),
        false => confirmations.to_string(),
    }
}

fn payer_fees(store: &Store, chain: ChainId, per_day: Amount) -> Result<ExitCode, Failure> {
    let units = per_day
        .to_units(NATIVE_SCALE)
        .map_err(|error| format!("--per-day {error}"))?;
    let mut opened = open(store)?;
    let done = opened.service.set_payer_fees(
        opened.database.as_mut(),
        chain,
        Some(units).filter(|units| *units > 0),
        edge::now(),
    );
    done.map_err(|error| failure(store, error))?;
    Ok(ExitCode::SUCCESS)
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
                "test_network": chain.is_test,
                "block": chain.head.number,
                "confirmations": chain.confirmations,
                "finality": chain.finality,
                "paused": chain.paused,
                "factory": chain.factory.to_string(),
                "currencies": symbols.collect::<Vec<_>>(),
                "unconfigured_tokens": chain.unconfigured_tokens.iter().map(unconfigured_json).collect::<Vec<_>>(),
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
            "{} ({}){}: block {}, confirmations: {}, {}{}{}",
            chain.name,
            chain.chain,
            test_mark(chain.is_test),
            chain.head.number,
            confirmations(chain.finality, chain.confirmations),
            symbols.collect::<Vec<_>>().join(", "),
            match chain.factory {
                Factory::Deployed => "",
                Factory::Deploying => ", the factory is being deployed",
                Factory::Missing => ", the factory is missing: addresses are derived",
            },
            if chain.paused { ", paused" } else { "" }
        ))?;
        say_unconfigured(&chain.unconfigured_tokens)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn unconfigured_json(token: &UnconfiguredToken) -> serde_json::Value {
    serde_json::json!({
        "contract": token.contract.to_string(),
        "transfers": token.transfers,
        "last_block": token.last_block,
    })
}

/// The latest tokens that were sent to addresses of the service and are not booked.
fn say_unconfigured(tokens: &[UnconfiguredToken]) -> Result<(), Failure> {
    for token in tokens.iter().take(UNCONFIGURED_SHOWN) {
        say(&format!(
            "  not configured and not booked: {}, {} transfers seen, the last in block {}",
            token.contract, token.transfers, token.last_block
        ))?;
    }
    let more = tokens.len().saturating_sub(UNCONFIGURED_SHOWN);
    if more > 0 {
        say(&format!("  and {more} more, see --json"))?;
    }
    Ok(())
}
