//! `GET /invoices`.

use super::{Invoice, InvoicePaymentStatus};
use crate::field::query;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page, Paged};
use crate::value::CustomerId;

query! {
    /// Filters of the invoice list.
    ListInvoicesQuery {
        /// Shared list parameters.
        list: ListQuery,
        /// Filter by customer.
        customer_id: Option<CustomerId>,
        /// Filter by payment status.
        payment_status: Option<InvoicePaymentStatus>,
    }
    names &["limit", "page", "since", "until", "sort", "customer_id", "payment_status"]
}

operation! {
    /// Lists invoices.
    ListInvoices in "invoice": GET "/invoices",
    query: ListInvoicesQuery,
    response: Page<Invoice>,
    WIRE: Wire::List,
}

impl Paged for ListInvoicesQuery {
    fn list_mut(&mut self) -> &mut ListQuery {
        &mut self.list
    }
}
