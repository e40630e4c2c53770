//! Invoices: what the service says of one among its properties.

use settlekit_core::invoice::Invoice;

/// A property of the invoice.
pub(crate) fn property<'a>(invoice: &'a Invoice, name: &str) -> Option<&'a str> {
    invoice.properties.as_ref()?.get(name)?.as_str()
}

/// The subscription that the invoice belongs to.
pub(crate) fn subscription_of(invoice: &Invoice) -> Option<&str> {
    property(invoice, "subscription_id")
}
