//! `GET /paylinks`.

use super::Paylink;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};

operation! {
    /// Lists paylinks, each with its plan; deleted ones are in the list and say so. Those of invoices are found by their invoices.
    ListPaylinks in "paylink": GET "/paylinks",
    query: ListQuery,
    response: Page<Paylink>,
    WIRE: Wire::List,
}
