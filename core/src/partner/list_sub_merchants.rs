//! `GET /partners/sub-merchants`.

use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};
use crate::value::record::record;
use crate::value::{OrganisationId, Timestamp};

record! {
    /// An organisation that a partner manages.
    SubMerchant {
        /// Its id, for `X-ORG-ID`.
        id: OrganisationId,
        /// For people.
        name: String,
        /// Whether it is suspended: it reads everything, and sells, trades and sends nothing.
        suspended: bool,
        /// When it was made.
        created_at: Timestamp,
    }
}

operation! {
    /// Lists the organisations for which the caller may act as their partner.
    ListSubMerchants in "partner": GET "/partners/sub-merchants",
    query: ListQuery,
    response: Page<SubMerchant>,
    WIRE: Wire::List,
}
