//! `GET /plan`.

use super::Plan;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};

operation! {
    /// Lists billing plans with their paylinks.
    /// Plans created for invoices are not listed.
    ListPlans in "plan": GET "/plan",
    query: ListQuery,
    response: Page<Plan>,
    WIRE: Wire::List,
}
