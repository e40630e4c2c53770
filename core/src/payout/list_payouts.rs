//! `GET /payouts`.

use crate::error::Reason;
use crate::operation::{Wire, operation};
use crate::page::{CountsBy, Page, list_query_fields};
use crate::payment::{Payment, PaymentReason, PaymentStatus};
use crate::validate::{Report, Validate};

list_query_fields! {
    /// Filters of the payout list.
    ListPayoutsQuery {
        /// Filter by status.
        status: Option<PaymentStatus>,
        /// Filter by reason: `ApprovalRequired` for payouts that wait for a second member, `ApprovalRefused` for refused ones.
        /// Excludes `status`.
        reason: Option<PaymentReason>,
        /// `status` also counts the payouts with each status. Absent with a reason.
        counts: Option<CountsBy>,
    }
}

impl Validate for ListPayoutsQuery {
    fn validate(&self, report: &mut Report) {
        report.time_range(self.list.since, self.list.until);
        if self.status.is_some() && self.reason.is_some() {
            report.add_error("reason", Reason::Excluded, "must be absent with `status`");
        }
    }
}

operation! {
    /// Lists payouts.
    ListPayouts in "payout": GET "/payouts",
    query: ListPayoutsQuery,
    response: Page<Payment>,
    WIRE: Wire::List,
}
