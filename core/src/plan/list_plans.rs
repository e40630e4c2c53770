//! `GET /plan`.

use super::Plan;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};

operation! {
    /// Lists billing plans, each with its paylink. What an invoice is paid by is no plan of the list.
    ListPlans in "plan": GET "/plan",
    query: ListQuery,
    response: Page<Plan>,
    WIRE: Wire::List,
}
