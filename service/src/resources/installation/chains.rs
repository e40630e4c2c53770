//! Connected chains: head, lag, nodes, comparison with the books, and open work.

use settlekit_core::chain::ChainDetail;
use settlekit_core::installation::{
    InstallationChain, ListInstallationChains, UnconfiguredToken, Unswept,
};
use settlekit_core::value::{Amount, ChainId};

use super::shown;
use crate::money::connection;
use crate::store;
use crate::store::connection::Connected;
use crate::store::outgoing_list::Count;
use crate::store::sql::{Database, StoreError};
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn list_installation_chains(
    unit: &mut Unit<'_>,
    call: Received<ListInstallationChains>,
) -> Outcome<Vec<InstallationChain>> {
    call.caller.need_installation_operator()?;
    Ok(all(unit.database)?)
}

/// The connected chains, by id.
pub(crate) fn all(database: &mut dyn Database) -> Result<Vec<InstallationChain>, StoreError> {
    let counts = store::outgoing_list::counts(database)?;
    connection::connected_chains(database)?
        .into_iter()
        .map(|(chain, connected)| {
            let count = counts.iter().find(|count| count.chain == chain.id);
            show(database, chain, &connected, count)
        })
        .collect()
}

fn show(
    database: &mut dyn Database,
    chain: ChainDetail,
    connected: &Connected,
    count: Option<&Count>,
) -> Result<InstallationChain, StoreError> {
    let report = store::chain_report::report(database, chain.id)?;
    let node_head = report.as_ref().and_then(|report| report.node_head);
    Ok(InstallationChain {
        id: chain.id,
        paused: connected.paused,
        head: connected.block,
        lag: node_head.map(|node_head| node_head.saturating_sub(connected.block)),
        // The blocks before the first recorded one are not the service's.
        settled_block: Some(connected.settled).filter(|block| *block >= connected.first_block),
        finality: connected.finality,
        confirmations_required: chain.confirmations_required,
        block_seconds: chain.block_seconds,
        base_fee_gwei: Amount::from_units(connected.base_fee, 9).ok(),
        comparison: store::chain_report::comparison(database, chain.id)?,
        unswept: unswept(database, chain.id)?,
        unconfigured_tokens: unconfigured_tokens(database, chain.id)?,
        transactions_under_way: count.map_or(0, |count| count.transactions),
        oldest_transaction_at: count.map(|count| count.oldest_at),
        report,
        name: chain.name,
        native_currency_symbol: chain.native_currency_symbol,
        assets: chain.assets,
        explorer_url: chain.explorer_url,
        test_network: chain.test_network,
    })
}

/// The tokens that the chain does not take.
fn unconfigured_tokens(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Vec<UnconfiguredToken>, StoreError> {
    let seen = store::unconfigured_token::list(database, chain)?.into_iter();
    let seen = seen.map(|token| UnconfiguredToken {
        contract: token.contract.to_string(),
        transfers: token.transfers,
        last_block: token.last_block,
    });
    Ok(seen.collect())
}

/// The money at proxies.
fn unswept(database: &mut dyn Database, chain: ChainId) -> Result<Vec<Unswept>, StoreError> {
    let sums = store::holding::proxy_sums(database, chain)?.into_iter();
    sums.map(|sum| {
        Ok(Unswept {
            amount: shown(database, chain, (&sum.currency, sum.units))?,
            proxies: u64::try_from(sum.proxies).unwrap_or(0),
            currency: sum.currency,
        })
    })
    .collect()
}
