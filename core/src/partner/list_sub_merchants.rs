//! `GET /partners/sub-merchants`.

use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};
use crate::value::record::record;
use crate::value::{OrganisationId, Timestamp};

record! {
    /// An organisation managed by a partner.
    SubMerchant {
        /// Organisation id, for `X-ORG-ID`.
        id: OrganisationId,
        /// Display name.
        name: String,
        /// Whether it is suspended: it can read, but not sell, trade or send.
        suspended: bool,
        /// Creation time.
        created_at: Timestamp,
    }
}

operation! {
    /// Lists the sub-merchants that the caller may act for as a partner.
    ListSubMerchants in "partner": GET "/partners/sub-merchants",
    query: ListQuery,
    response: Page<SubMerchant>,
    WIRE: Wire::List,
}
