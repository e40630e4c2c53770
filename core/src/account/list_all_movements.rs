//! `GET /movements`.

use super::{Movement, MovementStatus};
use crate::field::query;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page, Paged};

query! {
    /// Filters of the movement list.
    ListAllMovementsQuery {
        /// Shared list parameters.
        list: ListQuery,
        /// Only movements with one of these statuses, separated by commas.
        status: Option<Vec<MovementStatus>>,
    }
    names &["limit", "page", "since", "until", "sort", "status"]
}

operation! {
    /// Lists the movements of all accounts of the organisation, newest first.
    ListAllMovements in "account": GET "/movements",
    query: ListAllMovementsQuery,
    response: Page<Movement>,
    WIRE: Wire::List,
    DELEGATED: true,
}

impl Paged for ListAllMovementsQuery {
    fn list_mut(&mut self) -> &mut ListQuery {
        &mut self.list
    }
}
