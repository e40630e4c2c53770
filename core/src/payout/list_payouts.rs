//! `GET /payouts`.

use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};
use crate::payment::Payment;

operation! {
    /// Lists payouts.
    ListPayouts in "payout": GET "/payouts",
    query: ListQuery,
    response: Page<Payment>,
    WIRE: Wire::List,
}
