//! `GET /movements`.

use super::{ListMovementsQuery, Movement};
use crate::operation::{Wire, operation};
use crate::page::Page;

operation! {
    /// Lists the movements of all accounts of the organisation, newest first.
    ListAllMovements in "account": GET "/movements",
    query: ListMovementsQuery,
    response: Page<Movement>,
    WIRE: Wire::List,
    DELEGATED: true,
}
