//! `settlekit verify`: the books by themselves, and beside the chains.

use std::process::ExitCode;

use alloy_primitives::U256;
use futures_util::stream::{self, StreamExt};
use serde_json::json;
use settlekit_core::chain::Asset;
use settlekit_core::value::{Amount, ChainId};
use settlekit_service::block::Watch;
use settlekit_service::comparison::Expected;
use settlekit_service::ledger;
use settlekit_service::store::migrate;
use settlekit_service::store::sql::Database;
use settlekit_service::store::sqlite::Sqlite;

use super::connect_chain::balance;
use super::failure::Failure;
use super::opening::open;
use super::output::say;
use crate::chain::rpc::{self, Rpc, RpcLimits};
use crate::config::Store;
use crate::engine::Address as DatabaseAddress;
use crate::tls;

/// Balances asked for at once.
const AT_ONCE: usize = 16;

/// Audits the books, and compares them with the chains if asked: prints how much was checked, and each difference on a line of its
/// own. The exit code is 1 if there is any.
pub(super) fn run(store: &Store, with_chains: bool, is_json: bool) -> Result<ExitCode, Failure> {
    let mut database = open_reader(store)?;
    let audit = ledger::verify(database.as_mut()).map_err(Failure::of(&store.database))?;
    let mut differences: Vec<String> = audit.differences.iter().map(ToString::to_string).collect();
    let mut compared = Vec::new();
    if with_chains {
        compared = compare(store)?;
        for chain in &compared {
            differences.extend(chain.differences.iter().cloned());
        }
    }
    let has_any = !differences.is_empty();
    if is_json {
        let chains = compared.iter().map(|chain| {
            json!({
                "chain_id": chain.chain,
                "name": chain.name,
                "block": chain.block,
                "balances": chain.balances,
            })
        });
        let found = json!({
            "balances": audit.accounts,
            "postings": audit.postings,
            "chains": chains.collect::<Vec<_>>(),
            "differences": differences,
        });
        say(&found.to_string())?;
    } else {
        for difference in &differences {
            say(difference)?;
        }
        let count = audit.differences.len();
        say(&format!(
            "{} balances recomputed from {} postings: {}",
            audit.accounts,
            audit.postings,
            counted(count)
        ))?;
        for chain in &compared {
            say(&chain.to_string())?;
        }
    }
    Ok(match has_any {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

fn counted(count: usize) -> String {
    match count {
        0 => "no difference".to_owned(),
        1 => "1 difference".to_owned(),
        _ => format!("{count} differences"),
    }
}

/// Opens the database to read: verifying does not even migrate.
fn open_reader(store: &Store) -> Result<Box<dyn Database>, Failure> {
    let failed = Failure::of(&store.database);
    let mut database: Box<dyn Database> = match &store.database {
        DatabaseAddress::Sqlite(path) => Box::new(Sqlite::open_reader(path).map_err(failed)?),
        DatabaseAddress::Postgres(address) => Box::new(tls::open(address).map_err(failed)?),
    };
    let found = migrate::version(database.as_mut()).map_err(failed)?;
    let known = migrate::HISTORY.len();
    if found as usize != known {
        return Err(format!(
            "the database has version {found}, verify needs version {known}: run `settlekit serve` once to upgrade it"
        )
        .into());
    }
    Ok(database)
}

/// The comparison of a chain.
#[derive(Debug)]
struct Compared {
    chain: ChainId,
    name: String,
    /// The block that was compared; `None` before the first settled one.
    block: Option<u64>,
    balances: usize,
    differences: Vec<String>,
}

impl std::fmt::Display for Compared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.block {
            None => write!(
                f,
                "{}: paused or without a settled block, not compared with its nodes",
                self.name
            ),
            Some(block) => write!(
                f,
                "{}: {} balances compared at block {block}: {}",
                self.name,
                self.balances,
                counted(self.differences.len())
            ),
        }
    }
}

/// Compares all connected chains.
fn compare(store: &Store) -> Result<Vec<Compared>, Failure> {
    let mut opened = open(store)?;
    let watches =
        opened.call(|service, database, now, seed| service.watches(database, now, seed))?;
    let expected = opened.call(|service, database, _, _| service.expected_holdings(database))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut compared = Vec::new();
    for chain in expected {
        let watch = watches.iter().find(|watch| watch.chain == chain.chain);
        compared.push(runtime.block_on(compare_chain(watch, chain))?);
    }
    Ok(compared)
}

/// Compares a chain; only its sums if it is paused.
async fn compare_chain(watch: Option<&Watch>, expected: Expected) -> Result<Compared, Failure> {
    let mut differences = Vec::new();
    for sums in &expected.sums {
        let missing = sums.missing();
        if missing != 0 {
            let symbol = &sums.asset.symbol;
            let (what, units) = match missing {
                0.. => ("less", missing),
                _ => ("more", missing.saturating_neg()),
            };
            differences.push(format!(
                "{}: {} {symbol} {what} is held than is owed",
                expected.name,
                shown(&sums.asset, U256::from(units.unsigned_abs()))
            ));
        }
    }
    for wallet in &expected.wallets {
        differences.push(format!(
            "{}: the wallet of account {} holds {} {symbol} with its proxies, the books say {}",
            expected.name,
            wallet.account,
            signed(&wallet.asset, wallet.held),
            signed(&wallet.asset, wallet.booked),
            symbol = wallet.asset.symbol,
        ));
    }
    let (Some(block), Some(watch)) = (expected.block, watch) else {
        return Ok(Compared {
            chain: expected.chain,
            name: expected.name,
            block: None,
            balances: 0,
            differences,
        });
    };
    let client = rpc::http_client()?;
    let url = watch.providers.first().map_or("", String::as_str);
    let node = Rpc::new(client, url, RpcLimits::default())?;
    node.check_chain(expected.chain.get().unsigned_abs())
        .await?;
    let balances = expected.holdings.len();
    let mut asked = stream::iter(&expected.holdings)
        .map(|held| {
            let node = &node;
            async move { (held, balance(node, &held.asset, held.address, block).await) }
        })
        .buffered(AT_ONCE);
    while let Some((held, found)) = asked.next().await {
        let found = found?;
        let is_same = u128::try_from(held.units).is_ok_and(|units| U256::from(units) == found);
        if !is_same {
            differences.push(format!(
                "{}: {} holds {} {symbol}, the books say {}",
                expected.name,
                held.address,
                shown(&held.asset, found),
                signed(&held.asset, held.units),
                symbol = held.asset.symbol,
            ));
        }
    }
    Ok(Compared {
        chain: expected.chain,
        name: expected.name,
        block: Some(block),
        balances,
        differences,
    })
}

fn shown(asset: &Asset, units: U256) -> String {
    match i128::try_from(units) {
        Ok(units) => signed(asset, units),
        Err(_) => format!("{units} of the smallest units"),
    }
}

fn signed(asset: &Asset, units: i128) -> String {
    Amount::from_units(units, asset.scale).map_or_else(
        |_| format!("{units} of the smallest units"),
        |amount| amount.to_string(),
    )
}
