//! Commands for hot wallets.

use std::process::ExitCode;

use alloy_primitives::Address;
use settlekit_core::installation::GasMoney;
use settlekit_core::value::{Amount, ChainId, Number};
use settlekit_service::operator::{Connection, Factory, NewWithdrawal, OperatorError};

use super::failure::{Failure, failure};
use super::opening::open;
use super::output::{print, say, test_mark};
use super::wallet_key::{address_of_signer, read_words};
use super::{limits, rotate_wallet};
use crate::config::{Store, Wallet};
use crate::edge;

pub(super) fn run(command: Wallet) -> Result<ExitCode, Failure> {
    match command {
        Wallet::Create {
            store,
            signer: Some(url),
            address,
            json,
        } => connect_signer(&store, (&url, address), json),
        Wallet::Create { store, json, .. } => create(&store, json),
        Wallet::Import { store, json } => import(&store, json),
        Wallet::Rotate {
            store,
            import,
            signer,
            address,
            json,
        } => {
            let signer = signer.map(|url| (url, address));
            rotate_wallet::run(&store, (import, signer), json)
        }
        Wallet::Limits {
            store,
            currency,
            org,
            per_payout,
            per_day,
            json,
        } => {
            let change = currency.map(|currency| limits::Change {
                currency,
                organisation: org,
                per_payout,
                per_day,
            });
            limits::run(&store, change, json)
        }
        Wallet::Cancel {
            store,
            chain,
            nonce,
            address,
            json,
        } => cancel(&store, (address, chain), nonce, json),
        Wallet::Sweep { store, chain, json } => sweep(&store, chain, json),
        Wallet::Withdraw {
            store,
            chain,
            currency,
            amount,
            to,
            address,
            json,
        } => {
            let new = NewWithdrawal {
                chain,
                wallet: address,
                currency,
                amount,
                to,
            };
            withdraw(&store, &new, json)
        }
        Wallet::Show { store, json } => show(&store, json),
    }
}

fn create(store: &Store, json: bool) -> Result<ExitCode, Failure> {
    let mut opened = open(store)?;
    let (now, seed) = (
        edge::now(),
        edge::seed().map_err(Failure::of(&store.database))?,
    );
    let made = opened
        .service
        .create_wallet(opened.database.as_mut(), now, seed);
    let (address, words) = made.map_err(|error| failure(store, error))?;
    let fields = [
        ("address", address.to_string()),
        ("words", words.to_string()),
    ];
    print(json, &fields)?;
    if !json {
        say(
            "Write the words down now. They are not shown again, and anyone with them can take the money.",
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Puts an external signer into use.
fn connect_signer(
    store: &Store,
    (url, address): (&str, Option<Address>),
    json: bool,
) -> Result<ExitCode, Failure> {
    let mut opened = open(store)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let address = runtime.block_on(address_of_signer(url, address))?;
    let (now, seed) = (
        edge::now(),
        edge::seed().map_err(Failure::of(&store.database))?,
    );
    let made = opened
        .service
        .connect_signer(opened.database.as_mut(), (address, url), now, seed);
    let address = made.map_err(|error| failure(store, error))?;
    print(json, &[("address", address.to_string())])
}

fn import(store: &Store, json: bool) -> Result<ExitCode, Failure> {
    let words = read_words()?;
    let mut opened = open(store)?;
    let (now, seed) = (
        edge::now(),
        edge::seed().map_err(Failure::of(&store.database))?,
    );
    let made = opened
        .service
        .import_wallet(opened.database.as_mut(), &words, now, seed);
    let address = made.map_err(|error| failure(store, error))?;
    print(json, &[("address", address.to_string())])
}

fn show(store: &Store, json: bool) -> Result<ExitCode, Failure> {
    let mut opened = open(store)?;
    let wallets = opened.call(|service, database, _, _| service.wallets(database))?;
    let chains = opened.call(|service, database, _, _| service.connected_chains(database))?;
    let installation = opened.call(|service, database, _, _| service.installation(database))?;
    if wallets.is_empty() {
        return Err(OperatorError::NoWallet.to_string().into());
    }
    let mut list = Vec::new();
    for wallet in wallets {
        let holdings = wallet.holdings.into_iter().map(|held| {
            let known = chains.iter().find(|known| known.chain == held.chain);
            let asset = known.and_then(|known| {
                let mut assets = known.assets.iter();
                assets.find(|asset| asset.symbol == held.currency)
            });
            // An operator may have less than nothing.
            let shown = |units| {
                let amount = asset.and_then(|asset| Number::from_units(units, asset.scale).ok());
                amount.map(|amount| amount.to_string())
            };
            serde_json::json!({
                "chain_id": held.chain,
                "chain": known.map(|known| &known.name),
                "test_network": known.is_some_and(|known| known.is_test),
                "currency": held.currency,
                "amount": shown(held.units),
                "own": shown(held.own),
                "free": shown(held.available),
            })
        });
        let address = wallet.address.to_string();
        let mut shown = installation.wallets.iter();
        let gas = shown
            .find(|shown| shown.address == address)
            .map_or(&[][..], |shown| &shown.gas);
        list.push(serde_json::json!({
            "address": address,
            "key": if wallet.is_external { "external signer" } else { "seed" },
            "retired_at": wallet.retired_at,
            "holdings": holdings.collect::<Vec<_>>(),
            "gas": gas,
        }));
    }
    if json {
        say(&serde_json::Value::Array(list).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    for wallet in &list {
        let retired = match wallet["retired_at"].as_str() {
            Some(at) => format!(" (retired {at})"),
            None => String::new(),
        };
        say(&format!(
            "address: {}{retired}",
            wallet["address"].as_str().unwrap_or_default()
        ))?;
        for held in wallet["holdings"].as_array().into_iter().flatten() {
            let text = |name: &str| held[name].as_str().unwrap_or("?");
            say(&format!(
                "  {} {} on {}{}: {} of it yours, {} available",
                text("amount"),
                text("currency"),
                text("chain"),
                test_mark(held["test_network"] == true),
                text("own"),
                text("free")
            ))?;
        }
        let of_wallet = installation
            .wallets
            .iter()
            .filter(|shown| wallet["address"] == shown.address.as_str());
        for gas in of_wallet.flat_map(|shown| &shown.gas) {
            let known = chains.iter().find(|known| known.chain == gas.chain_id);
            say(&gas_line(known, gas))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// How long the gas money of a chain lasts, and how much there should be.
fn gas_line(chain: Option<&Connection>, gas: &GasMoney) -> String {
    let name = chain.map_or("?", |chain| &chain.name);
    let mark = test_mark(chain.is_some_and(|chain| chain.is_test));
    let lasts = match gas.payouts_left {
        Some(1) => "enough for 1 payout".to_owned(),
        Some(payouts) => format!("enough for {payouts} payouts"),
        None => "payouts cost nothing".to_owned(),
    };
    let warning = if gas.low { ": top it up now" } else { "" };
    format!(
        "  gas money on {name}{mark}: {} {}, {lasts}; keep at least {}{warning}",
        gas.available, gas.currency, gas.warn_below
    )
}

fn cancel(
    store: &Store,
    (wallet, chain): (Option<Address>, ChainId),
    nonce: u64,
    json: bool,
) -> Result<ExitCode, Failure> {
    let mut opened = open(store)?;
    let database = opened.database.as_mut();
    let wallets = opened.service.wallets(database);
    let wallets = wallets.map_err(|error| failure(store, error.into()))?;
    let in_use = wallets.iter().find(|wallet| wallet.retired_at.is_none());
    let wallet = wallet.or(in_use.map(|wallet| wallet.address));
    let wallet = wallet.ok_or_else(|| failure(store, OperatorError::NoWallet))?;
    let database = opened.database.as_mut();
    let canceled =
        (opened.service).cancel_transaction(database, (wallet, chain), nonce, edge::now());
    canceled.map_err(|error| failure(store, error))?;
    let is_test = opened.test_chains()?.contains(&chain);
    let fields = [
        ("chain_id", chain.to_string()),
        ("test_network", is_test.to_string()),
        ("nonce", nonce.to_string()),
        (
            "status",
            "an empty transaction is to use its nonce".to_owned(),
        ),
    ];
    print(json, &fields)?;
    Ok(ExitCode::SUCCESS)
}

fn withdraw(store: &Store, new: &NewWithdrawal, json: bool) -> Result<ExitCode, Failure> {
    let mut opened = open(store)?;
    let (now, seed) = (
        edge::now(),
        edge::seed().map_err(Failure::of(&store.database))?,
    );
    let database = opened.database.as_mut();
    let queued = opened.service.withdraw_own_money(database, new, now, seed);
    let from = queued.map_err(|error| failure(store, error))?;
    let is_test = opened.test_chains()?.contains(&new.chain);
    let fields = [
        ("chain_id", new.chain.to_string()),
        ("test_network", is_test.to_string()),
        ("from", from.to_string()),
        ("to", new.to.to_string()),
        ("amount", new.amount.to_string()),
        ("currency", new.currency.to_string()),
        ("status", "queued: a running server sends it".to_owned()),
    ];
    print(json, &fields)?;
    Ok(ExitCode::SUCCESS)
}

fn sweep(store: &Store, chain: Option<ChainId>, json: bool) -> Result<ExitCode, Failure> {
    let mut opened = open(store)?;
    let queued = opened
        .service
        .sweep_proxies(opened.database.as_mut(), chain, edge::now());
    let queued = queued.map_err(|error| failure(store, error))?;
    let tests = opened.test_chains()?;
    let mut list = Vec::new();
    for chain in &queued {
        // Why nothing is swept for now, if so.
        let waits = match (chain.paused, chain.factory) {
            (true, _) => Some("the chain is paused"),
            // Those of before wait for the factory; derived addresses need none.
            (false, Factory::Deployed | Factory::Missing) => None,
            (false, Factory::Deploying) => Some("the factory is being deployed"),
        };
        for (asset, proxies, units) in &chain.sums {
            list.push(serde_json::json!({
                "chain_id": chain.chain,
                "chain": chain.name,
                "test_network": tests.contains(&chain.chain),
                "currency": asset.symbol,
                "proxies": proxies,
                "amount": Amount::from_units(*units, asset.scale).ok(),
                "waits": waits,
            }));
        }
    }
    if json {
        say(&serde_json::Value::Array(list).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    if list.is_empty() {
        say("there is nothing to sweep")?;
    }
    for sum in &list {
        let text = |field: &str| sum[field].as_str().unwrap_or("?").to_owned();
        let waits = sum["waits"].as_str();
        say(&format!(
            "{}{}: {} {} at {} addresses{}",
            text("chain"),
            test_mark(sum["test_network"] == true),
            text("amount"),
            text("currency"),
            sum["proxies"],
            waits.map_or_else(
                || ", swept next".to_owned(),
                |waits| format!(", waits: {waits}")
            )
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
