//! Invoices.

mod create_invoice;
mod get_invoice;
mod list_invoices;
mod payment_link;
