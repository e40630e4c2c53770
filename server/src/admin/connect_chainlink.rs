//! `settlekit price connect chainlink`: asks the nodes of a chain what its feeds are, and takes those of the right pairs.

use std::collections::BTreeMap;

use alloy_primitives::Address;
use settlekit_core::value::{ChainId, Currency};
use settlekit_service::price_sources::chainlink::{
    DECIMALS_MAX, Feed, FeedSet, SEQUENCER_DESCRIPTION,
};
use settlekit_service::price_sources::chainlink_feeds;

use super::failure::{Failure, failure};
use super::opening::Opened;
use crate::chain::account::AtBlock;
use crate::chain::rpc::{self, Rpc, RpcLimits};
use crate::config::{FeedOption, OnChain, Store};
use crate::edge;

/// The chain whose feeds are read by default: Ethereum.
const CHAIN: i64 = 1;

/// The heartbeat of a feed that is not known, in seconds.
const HEARTBEAT: u32 = 60 * 60;

/// The feeds that the operator wishes, as the nodes of the chain describe them.
pub(super) fn describe(
    opened: &mut Opened<'_>,
    store: &Store,
    on_chain: OnChain,
) -> Result<FeedSet, Failure> {
    let chain = on_chain.chain.or(ChainId::new(CHAIN));
    let chain = chain.ok_or("a chain is needed: set --chain")?;
    let seed = edge::seed().map_err(Failure::of(&store.database))?;
    let (service, database) = (&opened.service, opened.database.as_mut());
    let urls = service.nodes_of_chain(database, chain, edge::now(), seed);
    let urls = urls.map_err(|error| failure(store, error))?;
    let known = chainlink_feeds::known(chain);
    let sequencer = match (on_chain.sequencer, known.and_then(|known| known.sequencer)) {
        (Some(address), _) => Some(address),
        (None, Some(known)) => Some(address(known)?),
        (None, None) => None,
    };
    let wished = wished(chain, on_chain.feed)?;
    if wished.is_empty() {
        return Err(
            format!("no feed of chain {chain} is known: name one, --feed ETH=0x…:3600").into(),
        );
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let feeds = runtime.block_on(described(chain, (wished, sequencer), &urls))?;
    Ok(FeedSet {
        chain,
        feeds,
        sequencer,
    })
}

/// The contract and heartbeat of each currency: the built-in feeds, and those of `--feed`.
fn wished(
    chain: ChainId,
    named: Vec<FeedOption>,
) -> Result<BTreeMap<Currency, (Address, u32)>, Failure> {
    let mut wished = BTreeMap::new();
    let known = chainlink_feeds::known(chain);
    for feed in known.map_or(&[][..], |known| known.feeds) {
        let symbol: Currency =
            (feed.symbol.parse()).map_err(|_| format!("{} is not a symbol", feed.symbol))?;
        wished.insert(symbol, (address(feed.address)?, feed.heartbeat));
    }
    for feed in named {
        let known = wished.get(&feed.symbol).map(|(_, heartbeat)| *heartbeat);
        let heartbeat = feed.heartbeat.or(known).unwrap_or(HEARTBEAT);
        wished.insert(feed.symbol, (feed.address, heartbeat));
    }
    Ok(wished)
}

fn address(text: &str) -> Result<Address, Failure> {
    text.parse()
        .map_err(|_| format!("{text} is not an address").into())
}

/// The feeds, on which all nodes agree.
async fn described(
    chain: ChainId,
    (wished, sequencer): (BTreeMap<Currency, (Address, u32)>, Option<Address>),
    urls: &[String],
) -> Result<Vec<Feed>, Failure> {
    let client = rpc::http_client()?;
    let mut agreed: Option<Vec<Feed>> = None;
    for url in urls {
        let node = Rpc::new(client.clone(), url, RpcLimits::default())?;
        node.check_chain(chain.get().unsigned_abs()).await?;
        if let Some(sequencer) = sequencer {
            check_description(&node, sequencer, SEQUENCER_DESCRIPTION).await?;
        }
        let mut feeds = Vec::with_capacity(wished.len());
        for (currency, (address, heartbeat)) in &wished {
            check_description(&node, *address, &format!("{currency} / USD")).await?;
            let decimals = u32::from(node.feed_decimals(*address).await?);
            if decimals > DECIMALS_MAX {
                return Err(format!(
                    "{address} has {decimals} decimal places; at most {DECIMALS_MAX} are kept"
                )
                .into());
            }
            feeds.push(Feed {
                currency: currency.clone(),
                address: *address,
                decimals,
                heartbeat: *heartbeat,
            });
        }
        if agreed.is_some_and(|agreed| agreed != feeds) {
            return Err("the nodes disagree on the feeds".into());
        }
        agreed = Some(feeds);
    }
    agreed.ok_or_else(|| format!("chain {chain} has no node").into())
}

/// Refuses a contract that is not there, or describes itself otherwise.
async fn check_description(node: &Rpc, feed: Address, expected: &str) -> Result<(), Failure> {
    if node.code(feed, AtBlock::Latest).await?.is_empty() {
        return Err(format!("{feed} for {expected} has no code on this chain").into());
    }
    let found = node.feed_description(feed).await?;
    // The contract's own text is not shown: it may be anything.
    match found == expected {
        true => Ok(()),
        false => Err(format!("{feed} does not describe itself as {expected}").into()),
    }
}
