//! Stored price feeds of a connected chain, and the requests to its nodes.

use settlekit_core::value::ChainId;

use super::connection;
use super::price_sources::PriceQuery;
use super::price_sources::chainlink::{Feed, FeedSet};
use crate::store;
use crate::store::connection::BlockId;
use crate::store::price_source::{self, Connected, StoredFeed};
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// The feeds of a source that is read on a chain.
pub(super) fn find(
    database: &mut dyn Database,
    connected: &Connected,
) -> Result<FeedSet, StoreError> {
    let feeds = price_source::feeds(database)?.into_iter();
    let feeds = feeds.map(|stored| Feed {
        currency: stored.currency,
        address: stored.address,
        decimals: stored.decimals,
        heartbeat: stored.heartbeat,
    });
    Ok(FeedSet {
        chain: chain(connected)?,
        feeds: feeds.collect(),
        sequencer: connected.sequencer,
    })
}

fn chain(connected: &Connected) -> Result<ChainId, StoreError> {
    let missing = || StoreError::Damaged("a price source names no chain".to_owned());
    connected.chain.ok_or_else(missing)
}

/// Stores the feeds of a connected source, over earlier ones.
pub(super) fn write(
    database: &mut dyn Database,
    source: &str,
    set: &FeedSet,
) -> Result<(), StoreError> {
    price_source::set_chain(database, source, (set.chain, set.sequencer))?;
    price_source::forget_feeds(database)?;
    for feed in &set.feeds {
        let stored = StoredFeed {
            currency: feed.currency.clone(),
            address: feed.address,
            decimals: feed.decimals,
            heartbeat: feed.heartbeat,
        };
        price_source::insert_feed(database, &stored)?;
        // From now on another source is not the only one, also while the chain is paused.
        price_source::expect_price(database, (source, &feed.currency))?;
    }
    Ok(())
}

/// The requests to the nodes of the chain, and the block that they ask about; none while the chain is paused.
pub(super) fn queries(
    unit: &mut Unit<'_>,
    connected: &Connected,
) -> Result<(Vec<PriceQuery>, Option<BlockId>), StoreError> {
    let set = find(unit.database, connected)?;
    let chain = store::connection::find(unit.database, set.chain)?;
    let Some(chain) = chain.filter(|chain| !chain.paused) else {
        return Ok((Vec::new(), None));
    };
    let body = set.request(chain.head());
    let currencies = set.feeds.iter().map(|feed| feed.currency.clone());
    let currencies: Vec<_> = currencies.collect();
    let urls = connection::node_urls(unit, &chain)?.into_iter();
    let queries = urls.map(|url| PriceQuery {
        url,
        body: Some(body.clone()),
        currencies: currencies.clone(),
    });
    Ok((queries.collect(), Some(chain.head())))
}
