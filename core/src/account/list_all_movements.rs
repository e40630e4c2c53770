//! `GET /movements`.

use super::{Movement, MovementStatus};
use crate::error::Reason;
use crate::field::{QueryField, query_fields};
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page, Paged};
use crate::validate::{Report, Validate};

query_fields! {
    /// Which movements to list.
    #[derive(Default)]
    ListAllMovementsQuery {
        /// The shared parameters.
        list: ListQuery,
        /// Only movements with one of these statuses, separated by commas. Not Confirmed: nearly all are.
        status: Option<Vec<MovementStatus>>,
    }
    names &["limit", "page", "since", "until", "sort", "status"]
}

impl Validate for ListAllMovementsQuery {
    fn validate(&self, report: &mut Report) {
        QueryField::check(&self.list, report);
        let statuses = self.status.iter().flatten();
        if statuses
            .clone()
            .any(|status| *status == MovementStatus::Confirmed)
        {
            report.complain(
                "status",
                Reason::NotSupported,
                "cannot be Confirmed: nearly all movements are",
            );
        }
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

impl Paged for ListAllMovementsQuery {
    fn list_mut(&mut self) -> &mut ListQuery {
        &mut self.list
    }
}
