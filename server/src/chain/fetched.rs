//! Blocks read from all chosen providers at once.

use std::sync::Arc;

use futures_util::future::join_all;
use settlekit_service::block::{BlockId, Watch};

use super::block_data::BlockData;
use super::node::Tip;
use super::provider::Provider;
use super::reader::{ReadError, Reader};

/// Providers that must agree, with the ends of their chains.
pub(super) type Chosen = [(Arc<Provider>, Tip)];

/// Blocks as the chosen providers answered.
pub(super) struct Fetched {
    /// The block before the first.
    pub(super) after: BlockId,
    pub(super) count: u64,
    pub(super) answers: Vec<Result<Vec<BlockData>, ReadError>>,
}

/// Reads some blocks after one from all chosen providers.
pub(super) async fn fetch(
    chosen: Vec<(Arc<Provider>, Tip)>,
    watch: Arc<Watch>,
    after: BlockId,
    count: u64,
) -> Fetched {
    let answers = chosen.iter().map(async |(provider, _)| {
        let reader = Reader::new(provider.rpc(), &watch);
        match count {
            1 => Ok(vec![reader.fetch_next(after).await?]),
            _ => reader.fetch_range(after, count).await,
        }
    });
    Fetched {
        after,
        count,
        answers: join_all(answers).await,
    }
}
