//! Lists, page by page or item by item, that do not drift.

use std::fmt;
use std::time::Duration;

use futures_util::{Stream, TryStreamExt, stream};
use settlekit_core::call::Call;
use settlekit_core::operation::Operation;
use settlekit_core::page::{Page, PageNumber, Paged, Sort};

use crate::{Client, Error};

/// How far the clocks may differ before rows of this moment are missed: as far as signatures allow.
const CLOCKS_DIFFER: Duration = settlekit_core::sign::NONCE_WINDOW;

/// A list, fetched when asked for.
///
/// Oldest first and up to this moment unless the query says otherwise, so that items which arrive meanwhile neither push
/// others onto the next page nor hide any.
pub struct Listing<O: Operation> {
    client: Client,
    call: Call<O>,
}

impl<O: Operation> fmt::Debug for Listing<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listing")
            .field("operation", &O::ID)
            .field("client", &self.client)
            .finish_non_exhaustive()
    }
}

impl<O, T> Listing<O>
where
    O: Operation<Response = Page<T>>,
    O::Query: Paged,
    T: 'static,
{
    pub(crate) fn new(client: Client, mut call: Call<O>) -> Self {
        let query = call.query.list_mut();
        let sort = *query.sort.get_or_insert(Sort::Ascending);
        // Going up, what arrives late comes last; going down, it would come first and push the rest.
        let margin = match sort {
            Sort::Ascending => CLOCKS_DIFFER,
            Sort::Descending => Duration::ZERO,
        };
        query.until.get_or_insert(client.now().plus(margin));
        Self { client, call }
    }

    /// Every page from the one asked for on.
    pub fn by_page(self) -> impl Stream<Item = Result<Page<T>, Error>> {
        stream::try_unfold(Some(self), |listing| async move {
            let Some(mut listing) = listing else {
                return Ok(None);
            };
            let page = listing.client.call(&listing.call).await?;
            let rest = page.next.and_then(PageNumber::new).map(|next| {
                listing.call.query.list_mut().page = Some(next);
                listing
            });
            Ok(Some((page, rest)))
        })
    }

    /// Every item of every page.
    pub fn items(self) -> impl Stream<Item = Result<T, Error>> {
        self.by_page()
            .map_ok(|page| stream::iter(page.items.into_iter().map(Ok)))
            .try_flatten()
    }
}
