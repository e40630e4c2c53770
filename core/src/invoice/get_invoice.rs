//! `GET /invoices/{invoice_id}`.

use super::Invoice;
use crate::operation::operation;
use crate::value::InvoiceId;

operation! {
    /// Reads one invoice.
    GetInvoice in "invoice": GET "/invoices/{invoice_id}",
    path: GetInvoicePath {
        /// The invoice's id.
        invoice_id: InvoiceId,
    },
    response: Invoice,
}
