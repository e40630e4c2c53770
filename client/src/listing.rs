//! Lists by page or item, stable while new items are created.

use std::fmt;
use std::time::Duration;

use futures_util::{Stream, TryStreamExt, stream};
use settlekit_core::call::Call;
use settlekit_core::operation::Operation;
use settlekit_core::page::{Page, PageNumber, Paged, Sort};

use crate::{Client, Error};

/// Tolerated clock difference, as for signatures: rows created up to this time ahead are included.
const CLOCKS_DIFFER: Duration = settlekit_core::sign::NONCE_WINDOW;

/// A lazily fetched list.
///
/// By default sorted oldest first and limited to items created until now: otherwise new items would shift others to the next page
/// and cause duplicates or gaps.
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
        // In ascending order, new items are appended; in descending order they would shift the pages.
        let margin = match sort {
            Sort::Ascending => CLOCKS_DIFFER,
            Sort::Descending => Duration::ZERO,
        };
        query.until.get_or_insert(client.now().plus(margin));
        Self { client, call }
    }

    /// All pages, starting at the requested one.
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

    /// All items of all pages.
    pub fn items(self) -> impl Stream<Item = Result<T, Error>> {
        self.by_page()
            .map_ok(|page| stream::iter(page.items.into_iter().map(Ok)))
            .try_flatten()
    }
}
