//! `GET /paylinks`.

use super::Paylink;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};

operation! {
    /// Lists paylinks with their plans, deleted ones included.
    /// Paylinks of invoices are not listed.
    ListPaylinks in "paylink": GET "/paylinks",
    query: ListQuery,
    response: Page<Paylink>,
    WIRE: Wire::List,
}
