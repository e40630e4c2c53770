//! Blocks read from all chosen providers at once.

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::future::join_all;
use settlekit_service::block::{BlockId, Watch};
use tokio::task::JoinSet;

use super::block_data::BlockData;
use super::node::Tip;
use super::provider::Provider;
use super::reader::{ReadError, Reader};

/// Providers that must agree, with the ends of their chains.
pub(super) type Chosen = [(Arc<Provider>, Tip)];

/// Ranges that are fetched at once: the nodes answer for one while the answers for the other are read. Caught up are 1.3 times as many
/// blocks as the node answers one call after the other, with one range 0.9 times.
const RANGES_AT_ONCE: usize = 2;

/// Blocks as the chosen providers answered.
pub(super) struct Fetched {
    pub(super) count: u64,
    pub(super) answers: Vec<Result<Vec<BlockData>, ReadError>>,
}

/// Fetches the block after one from all chosen providers.
pub(super) async fn fetch_next(chosen: &Chosen, watch: &Watch, after: BlockId) -> Fetched {
    let answers = chosen.iter().map(async |(provider, _)| {
        let reader = Reader::new(provider.rpc(), watch);
        Ok(vec![reader.fetch_next(after).await?])
    });
    Fetched {
        count: 1,
        answers: join_all(answers).await,
    }
}

/// Fetches ranges of blocks from all chosen providers before they are needed, each on a thread of its own.
pub(super) struct ReadAhead {
    chosen: Vec<(Arc<Provider>, Tip)>,
    watch: Arc<Watch>,
    /// The last height that was asked for.
    asked: u64,
    /// Each set has one range. Its task ends with it.
    ranges: VecDeque<JoinSet<Fetched>>,
}

impl ReadAhead {
    /// Nothing is fetched yet of the blocks after a height.
    pub(super) fn new(chosen: &Chosen, watch: &Watch, after: u64) -> Self {
        Self {
            chosen: chosen.to_vec(),
            watch: Arc::new(watch.clone()),
            asked: after,
            ranges: VecDeque::new(),
        }
    }

    /// Fetches the next ranges. `count` gives the number of blocks after a height to fetch together, at least two; `None` if they are
    /// read one by one.
    pub(super) fn go_on(&mut self, count: impl Fn(u64) -> Option<u64>) {
        while self.ranges.len() < RANGES_AT_ONCE {
            let Some(count) = count(self.asked) else {
                return;
            };
            let (chosen, watch) = (self.chosen.clone(), Arc::clone(&self.watch));
            let after = self.asked;
            let mut range = JoinSet::new();
            range.spawn(fetch_range(chosen, watch, after, count));
            self.ranges.push_back(range);
            self.asked = after.saturating_add(count);
        }
    }

    /// The next range; `None` if none is being fetched.
    pub(super) async fn next(&mut self) -> Option<Fetched> {
        let mut range = self.ranges.pop_front()?;
        match range.join_next().await? {
            Ok(fetched) => Some(fetched),
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => None,
        }
    }
}

async fn fetch_range(
    chosen: Vec<(Arc<Provider>, Tip)>,
    watch: Arc<Watch>,
    after: u64,
    count: u64,
) -> Fetched {
    let answers = chosen.iter().map(async |(provider, _)| {
        let reader = Reader::new(provider.rpc(), &watch);
        reader.fetch_range(after, count).await
    });
    Fetched {
        count,
        answers: join_all(answers).await,
    }
}
