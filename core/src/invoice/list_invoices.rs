//! `GET /invoices`.

use super::{Invoice, InvoicePaymentStatus};
use crate::operation::{Wire, operation};
use crate::page::{CountsBy, Page, list_query};
use crate::value::{CustomerId, SubscriptionId};

list_query! {
    /// Filters of the invoice list.
    ListInvoicesQuery {
        /// Filter by customer.
        customer_id: Option<CustomerId>,
        /// Filter by subscription.
        subscription_id: Option<SubscriptionId>,
        /// Filter by payment status.
        payment_status: Option<InvoicePaymentStatus>,
        /// `status` also counts the invoices with each payment status. Absent with a customer or a subscription.
        counts: Option<CountsBy>,
    }
}

operation! {
    /// Lists invoices.
    ListInvoices in "invoice": GET "/invoices",
    query: ListInvoicesQuery,
    response: Page<Invoice>,
    WIRE: Wire::List,
}
