//! `settlekit verify`: the books by themselves, and beside the chains.

use std::process::ExitCode;

use alloy_primitives::{Address, U256};
use futures_util::stream::{self, StreamExt};
use serde_json::json;
use settlekit_core::chain::Asset;
use settlekit_core::installation::ChainComparison;
use settlekit_core::value::{Amount, ChainId};
use settlekit_service::block::Watch;
use settlekit_service::comparison::{Expected, ExpectedHolding};
use settlekit_service::ledger;
use settlekit_service::store::migrate;
use settlekit_service::store::sql::Database;
use settlekit_service::store::sqlite::Sqlite;

use super::agreed_balances::Nodes;
use super::failure::Failure;
use super::opening::open;
use super::output::{say, test_mark};
use crate::config::Store;
use crate::edge;
use crate::engine::Address as DatabaseAddress;
use crate::tls;

/// Balances per request.
const BATCH: usize = 50;

/// Requests at once.
const AT_ONCE: usize = 4;

/// Differences that are recorded for the operator's page; the command prints all.
const DIFFERENCES_SHOWN: usize = 20;

/// Maximum number of uncompared balances listed by name.
const NOT_COMPARED_SHOWN: usize = 20;

/// Audits the books, and compares them with the chains if asked: prints how much was checked, what was not compared, and each
/// difference on a line of its own. The exit code is 1 if there is a difference, and with `must_be_complete` also if anything was not
/// compared, except wallets that merchants have just connected.
pub(super) fn run(
    store: &Store,
    (with_chains, must_be_complete): (bool, bool),
    is_json: bool,
) -> Result<ExitCode, Failure> {
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
    let mut left = compared.iter().flat_map(|chain| &chain.not_compared);
    let is_incomplete = left.any(|left| left.is_incomplete);
    let has_failed = !differences.is_empty() || (must_be_complete && is_incomplete);
    if is_json {
        let chains = compared.iter().map(|chain| {
            json!({
                "chain_id": chain.chain,
                "name": chain.name,
                "test_network": chain.is_test,
                "block": chain.block,
                "balances": chain.balances,
                "not_compared": not_compared(&chain.not_compared),
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
            "{} recomputed from {} postings: {}",
            count_of(audit.accounts, "balance"),
            audit.postings,
            differences_of(count)
        ))?;
        for chain in &compared {
            say(&chain.to_string())?;
            for left in &chain.not_compared {
                say(&format!(
                    "{}{}: {left}",
                    chain.name,
                    test_mark(chain.is_test)
                ))?;
            }
        }
    }
    Ok(match has_failed {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

fn count_of(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

fn differences_of(count: usize) -> String {
    match count {
        0 => "no difference".to_owned(),
        _ => count_of(count as u64, "difference"),
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

/// Balances that were not compared, and why.
#[derive(Debug)]
struct NotCompared {
    reason: &'static str,
    /// Whether they make the comparison incomplete.
    is_incomplete: bool,
    balances: usize,
    /// The first of them by name; empty if it is all of the chain.
    first: Vec<String>,
}

impl NotCompared {
    fn all(reason: &'static str, expected: &Expected) -> Self {
        Self {
            reason,
            is_incomplete: true,
            balances: expected.holdings.len(),
            first: Vec::new(),
        }
    }

    /// The opening balances that are not read yet.
    fn unread(expected: &Expected) -> Vec<Self> {
        let now = edge::now();
        let reasons = [
            (
                "an opening balance is not read yet",
                true,
                expected.overdue(now),
            ),
            (
                "the wallet was connected within the last hour",
                false,
                expected.recent(now),
            ),
        ];
        let some = reasons.into_iter().filter(|(.., left)| !left.is_empty());
        let some = some.map(|(reason, is_incomplete, left)| Self {
            reason,
            is_incomplete,
            balances: left.len(),
            first: (left.iter().take(NOT_COMPARED_SHOWN))
                .map(ToString::to_string)
                .collect(),
        });
        some.collect()
    }
}

impl std::fmt::Display for NotCompared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} not compared: {}",
            count_of(self.balances as u64, "balance"),
            self.reason
        )?;
        if self.first.is_empty() {
            return Ok(());
        }
        let more = match self.balances - self.first.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        write!(f, " ({}{more})", self.first.join(", "))
    }
}

fn not_compared(all: &[NotCompared]) -> serde_json::Value {
    let all = all.iter().map(|left| {
        json!({
            "reason": left.reason,
            "incomplete": left.is_incomplete,
            "balances": left.balances,
            "first": left.first,
        })
    });
    all.collect()
}

/// The comparison of a chain.
#[derive(Debug)]
struct Compared {
    chain: ChainId,
    name: String,
    is_test: bool,
    /// The block that was compared; `None` before the first settled one.
    block: Option<u64>,
    /// How many were compared.
    balances: usize,
    not_compared: Vec<NotCompared>,
    differences: Vec<String>,
}

impl std::fmt::Display for Compared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mark = test_mark(self.is_test);
        match self.block {
            None => write!(f, "{}{mark}: not compared with its nodes", self.name),
            Some(block) => write!(
                f,
                "{}{mark}: {} compared at block {block}: {}",
                self.name,
                count_of(self.balances as u64, "balance"),
                differences_of(self.differences.len())
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
        let found = runtime.block_on(compare_chain(watch, chain));
        let record = record_of(&found);
        opened.call(|service, database, _, _| {
            service.record_comparison(database, found.chain, &record)
        })?;
        compared.push(found);
    }
    Ok(compared)
}

/// A comparison as the operator's page shows it.
fn record_of(compared: &Compared) -> ChainComparison {
    let shown = compared.differences.iter().take(DIFFERENCES_SHOWN);
    ChainComparison {
        compared_at: edge::now(),
        block: compared.block,
        balances: compared.balances as u64,
        difference_count: compared.differences.len() as u64,
        differences: shown.cloned().collect(),
    }
}

/// Compares a chain; only its sums if it is paused. Nodes without a usable answer are a difference, too.
async fn compare_chain(watch: Option<&Watch>, expected: Expected) -> Compared {
    let name = expected.name.clone();
    // Each difference has the mark.
    let expected = Expected {
        name: format!("{name}{}", test_mark(expected.is_test)),
        ..expected
    };
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
    let mut compared = None;
    let mut not_compared = NotCompared::unread(&expected);
    match (expected.block, watch) {
        (Some(block), Some(watch)) => match compare_balances(watch, block, &expected).await {
            Ok(found) => {
                differences.extend(found);
                compared = Some(block);
            }
            Err(failure) => {
                let reason = "its nodes gave no usable answer";
                not_compared.push(NotCompared::all(reason, &expected));
                differences.push(format!(
                    "{}: not compared with its nodes: {failure}",
                    expected.name
                ));
            }
        },
        _ if expected.is_paused => {
            not_compared.push(NotCompared::all("the chain is paused", &expected));
        }
        _ => not_compared.push(NotCompared::all("no block is settled yet", &expected)),
    }
    Compared {
        chain: expected.chain,
        name,
        is_test: expected.is_test,
        block: compared,
        balances: compared.map_or(0, |_| expected.holdings.len()),
        not_compared,
        differences,
    }
}

/// The differences between actual and expected balances on a chain.
async fn compare_balances(
    watch: &Watch,
    block: u64,
    expected: &Expected,
) -> Result<Vec<String>, Failure> {
    let nodes = Nodes::of(watch, block, expected.hash).await?;
    let differing = nodes.differing.iter();
    let mut differences: Vec<String> = differing
        .map(|host| {
            format!(
                "{}: {host} has another block {block} than the recorded one",
                expected.name
            )
        })
        .collect();
    // Of one currency each.
    let chunks = (expected.holdings)
        .chunk_by(|one, next| one.asset.symbol == next.asset.symbol)
        .flat_map(|of_asset| of_asset.chunks(BATCH));
    let mut asked = stream::iter(chunks)
        .map(|held| {
            let nodes = &nodes;
            async move { (held, found(nodes, held, block).await) }
        })
        .buffered(AT_ONCE);
    while let Some((held, found)) = asked.next().await {
        for (held, found) in held.iter().zip(found?) {
            differences.extend(difference(&expected.name, held, found));
        }
    }
    Ok(differences)
}

/// The nodes' balances of some addresses, in one currency.
async fn found(
    nodes: &Nodes,
    held: &[ExpectedHolding],
    block: u64,
) -> Result<Vec<Option<U256>>, Failure> {
    let Some(first) = held.first() else {
        return Ok(Vec::new());
    };
    let addresses: Vec<Address> = held.iter().map(|held| held.address).collect();
    nodes.balances(&first.asset, &addresses, block).await
}

/// The difference of a balance; `None` found means that the nodes disagree.
fn difference(chain: &str, held: &ExpectedHolding, found: Option<U256>) -> Option<String> {
    let (address, symbol) = (held.address, &held.asset.symbol);
    let Some(found) = found else {
        return Some(format!(
            "{chain}: the nodes disagree on the {symbol} of {address}"
        ));
    };
    let is_same = u128::try_from(held.units).is_ok_and(|units| U256::from(units) == found);
    (!is_same).then(|| {
        let (found, booked) = (shown(&held.asset, found), signed(&held.asset, held.units));
        format!("{chain}: {address} holds {found} {symbol}, the books say {booked}")
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

#[cfg(test)]
mod tests {
    use super::NotCompared;

    #[test]
    fn one_balance_that_is_not_compared_is_singular() {
        let printed = |balances, first: &[&str]| {
            let first = first.iter().map(|name| (*name).to_owned()).collect();
            let reason = "the chain is paused";
            let left = NotCompared {
                reason,
                is_incomplete: true,
                balances,
                first,
            };
            left.to_string()
        };
        assert_eq!(
            printed(1, &[]),
            "1 balance not compared: the chain is paused"
        );
        assert_eq!(
            printed(3, &["USDC", "EURC"]),
            "3 balances not compared: the chain is paused (USDC, EURC and 1 more)"
        );
    }
}
