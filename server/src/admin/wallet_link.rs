//! Commands for the wallets that payers are offered. Each prints the list.

use std::process::ExitCode;

use settlekit_core::installation::WalletLinkTemplate;
use settlekit_service::WalletLinkError;

use super::failure::Failure;
use super::opening::open;
use super::output::say;
use crate::config::{Store, WalletLink};

pub(super) fn run(command: WalletLink) -> Result<ExitCode, Failure> {
    match command {
        WalletLink::List { store, json } => {
            let mut opened = open(&store)?;
            let links = opened.call(|service, database, _, _| service.wallet_links(database))?;
            show(&links, json)
        }
        WalletLink::Add {
            store,
            name,
            template,
            json,
        } => {
            let mut opened = open(&store)?;
            let link = WalletLinkTemplate { name, template };
            let links = opened
                .service
                .add_wallet_link(opened.database.as_mut(), &link);
            show(&links.map_err(|error| failure(&store, error))?, json)
        }
        WalletLink::Remove { store, name, json } => {
            let mut opened = open(&store)?;
            let links = opened
                .service
                .remove_wallet_link(opened.database.as_mut(), &name);
            show(&links.map_err(|error| failure(&store, error))?, json)
        }
        WalletLink::Restore { store, json } => {
            let mut opened = open(&store)?;
            let links =
                opened.call(|service, database, _, _| service.restore_wallet_links(database))?;
            show(&links, json)
        }
    }
}

fn failure(store: &Store, error: WalletLinkError) -> Failure {
    match error {
        WalletLinkError::Store(error) => Failure::of(&store.database)(error),
        error => error.to_string().into(),
    }
}

fn show(links: &[WalletLinkTemplate], json: bool) -> Result<ExitCode, Failure> {
    if json {
        let list = links
            .iter()
            .map(|link| serde_json::json!({ "name": link.name, "template": link.template }));
        say(&serde_json::Value::Array(list.collect()).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    if links.is_empty() {
        say("no wallet is offered")?;
    }
    for link in links {
        say(&format!("{}: {}", link.name, link.template))?;
    }
    Ok(ExitCode::SUCCESS)
}
