//! `GET /payments`.

use super::{Payment, PaymentStatus};
use crate::operation::{Wire, operation};
use crate::page::{Page, list_query};
use crate::value::{CustomerId, PaylinkId};

list_query! {
    /// Filters of the payment list.
    ListPaymentsQuery {
        /// Filter by customer.
        customer_id: Option<CustomerId>,
        /// Filter by paylink.
        paylink_id: Option<PaylinkId>,
        /// Filter by status.
        status: Option<PaymentStatus>,
    }
}

operation! {
    /// Lists payments.
    ListPayments in "payment": GET "/payments",
    query: ListPaymentsQuery,
    response: Page<Payment>,
    WIRE: Wire::List,
}
