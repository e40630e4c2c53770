//! Invoices.

mod create_invoice;
mod payment_link;
