//! `GET /partners/sub-merchants`.

use crate::operation::{Wire, operation};
use crate::page::{Page, list_query_fields};
use crate::validate::{Report, Validate};
use crate::value::record::record;
use crate::value::{Amount, OrganisationId, Timestamp};

/// Maximum length of the search text, in characters.
const SEARCH_CHARS_MAX: usize = 128;

record! {
    /// An organisation managed by a partner.
    SubMerchant {
        /// Organisation id, for `X-ORG-ID`.
        id: OrganisationId,
        /// Display name.
        name: String,
        /// Whether it is suspended: it can read, but not sell, trade or send.
        suspended: bool,
        /// Booked balance of all accounts in US dollars, without test networks; absent without a price.
        balance_usd?: Amount,
        /// The part of `balance_usd` that is reserved for operations in progress.
        reserved_usd?: Amount,
        /// Creation time.
        created_at: Timestamp,
    }
}

list_query_fields! {
    /// Filters of the list of sub-merchants.
    ListSubMerchantsQuery {
        /// Part of the name, ignoring case and accents, or a complete organisation id.
        search: Option<String>,
    }
}

impl Validate for ListSubMerchantsQuery {
    fn validate(&self, report: &mut Report) {
        report.time_range(self.list.since, self.list.until);
        report.optional_text("search", self.search.as_ref(), SEARCH_CHARS_MAX);
    }
}

operation! {
    /// Lists the sub-merchants that the caller may act for as a partner, with their balances.
    ListSubMerchants in "partner": GET "/partners/sub-merchants",
    query: ListSubMerchantsQuery,
    response: Page<SubMerchant>,
    WIRE: Wire::List,
}
