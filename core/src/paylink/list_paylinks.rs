//! `GET /paylinks`.

use super::{Paylink, PaylinkState};
use crate::operation::{Wire, operation};
use crate::page::{CountsBy, Page, list_query_fields};
use crate::validate::{Report, Validate};

/// Maximum length of the search text, in characters.
const SEARCH_CHARS_MAX: usize = 128;

list_query_fields! {
    /// Filters of the paylink list.
    ListPaylinksQuery {
        /// Only paylinks whose `state` is this one. Those of invoices alone are ever `Paid`.
        status: Option<PaylinkState>,
        /// Part of the name or of the reference of the plan; ignores case and accents.
        search: Option<String>,
        /// `status` also counts the paylinks with each status. Absent with a search.
        counts: Option<CountsBy>,
    }
}

impl Validate for ListPaylinksQuery {
    fn validate(&self, report: &mut Report) {
        report.time_range(self.list.since, self.list.until);
        report.optional_text("search", self.search.as_ref(), SEARCH_CHARS_MAX);
    }
}

operation! {
    /// Lists paylinks with their plans, deleted ones included.
    /// Paylinks of invoices are not listed.
    ListPaylinks in "paylink": GET "/paylinks",
    query: ListPaylinksQuery,
    response: Page<Paylink>,
    WIRE: Wire::List,
}
