//! `GET /payments`.

use super::{Payment, PaymentStatus};
use crate::field::query;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page, Paged};
use crate::value::{CustomerId, PaylinkId};

query! {
    /// Filters of the payment list.
    ListPaymentsQuery {
        /// Shared list parameters.
        list: ListQuery,
        /// Filter by customer.
        customer_id: Option<CustomerId>,
        /// Filter by paylink.
        paylink_id: Option<PaylinkId>,
        /// Filter by status.
        status: Option<PaymentStatus>,
    }
    names &["limit", "page", "since", "until", "sort", "customer_id", "paylink_id", "status"]
}

operation! {
    /// Lists payments.
    ListPayments in "payment": GET "/payments",
    query: ListPaymentsQuery,
    response: Page<Payment>,
    WIRE: Wire::List,
}

impl Paged for ListPaymentsQuery {
    fn list_mut(&mut self) -> &mut ListQuery {
        &mut self.list
    }
}
