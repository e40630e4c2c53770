//! Commands for hot wallets.

use std::io::Read;
use std::process::ExitCode;

use settlekit_core::value::Amount;
use settlekit_service::Words;
use settlekit_service::operator::OperatorError;

use super::failure::Failure;
use super::opening::open;
use super::output::{print, say};
use crate::config::{Store, Wallet};
use crate::edge;

/// Bytes read of the words on standard input: 24 words of 8 letters, with room for line breaks.
const WORDS_MAX: u64 = 1024;

pub(super) fn run(command: Wallet) -> Result<ExitCode, Failure> {
    match command {
        Wallet::Create { store, json } => create(&store, json),
        Wallet::Import { store, json } => import(&store, json),
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

fn import(store: &Store, json: bool) -> Result<ExitCode, Failure> {
    let mut text = String::new();
    std::io::stdin()
        .take(WORDS_MAX)
        .read_to_string(&mut text)
        .map_err(|error| format!("standard input cannot be read: {error}"))?;
    let words = Words::parse(&text)?;
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
    if wallets.is_empty() {
        return Err(OperatorError::NoWallet.to_string().into());
    }
    let mut list = Vec::new();
    for wallet in wallets {
        let holdings = wallet.holdings.into_iter().map(|(chain, currency, units)| {
            let known = chains.iter().find(|known| known.chain == chain);
            let asset = known.and_then(|known| {
                let mut assets = known.assets.iter();
                assets.find(|asset| asset.symbol == currency)
            });
            let amount = asset.and_then(|asset| Amount::from_units(units, asset.scale).ok());
            serde_json::json!({
                "chain_id": chain,
                "chain": known.map(|known| &known.name),
                "currency": currency,
                "amount": amount,
            })
        });
        list.push(serde_json::json!({
            "address": wallet.address.to_string(),
            "retired_at": wallet.retired_at,
            "holdings": holdings.collect::<Vec<_>>(),
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
            say(&format!(
                "  {} {} on {}",
                held["amount"].as_str().unwrap_or("?"),
                held["currency"].as_str().unwrap_or_default(),
                held["chain"].as_str().unwrap_or_default()
            ))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The failure of an operator's command.
pub(super) fn failure(store: &Store, error: OperatorError) -> Failure {
    match error {
        OperatorError::Store(error) => Failure::Store(store.database.clone(), error),
        error => error.to_string().into(),
    }
}
