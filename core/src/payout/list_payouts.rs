//! `GET /payouts`.

use crate::operation::{Wire, operation};
use crate::page::{Page, list_query};
use crate::payment::{Payment, PaymentReason};

list_query! {
    /// Filters of the payout list.
    ListPayoutsQuery {
        /// Filter by reason: `ApprovalRequired` for payouts that wait for a second member, `ApprovalRefused` for refused ones.
        reason: Option<PaymentReason>,
    }
}

operation! {
    /// Lists payouts.
    ListPayouts in "payout": GET "/payouts",
    query: ListPayoutsQuery,
    response: Page<Payment>,
    WIRE: Wire::List,
}
