//! `GET /movements`.

use super::{Movement, MovementStatus};
use crate::operation::{Wire, operation};
use crate::page::{Page, list_query};

list_query! {
    /// Filters of the movement list.
    ListAllMovementsQuery {
        /// Only movements with one of these statuses, separated by commas.
        status: Option<Vec<MovementStatus>>,
    }
}

operation! {
    /// Lists the movements of all accounts of the organisation, newest first.
    ListAllMovements in "account": GET "/movements",
    query: ListAllMovementsQuery,
    response: Page<Movement>,
    WIRE: Wire::List,
    DELEGATED: true,
}
