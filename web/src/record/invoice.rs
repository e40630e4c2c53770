//! Properties of invoices set by the service.

use settlekit_core::invoice::Invoice;

pub(crate) fn property<'a>(invoice: &'a Invoice, name: &str) -> Option<&'a str> {
    invoice.properties.as_ref()?.get(name)?.as_str()
}

pub(crate) fn subscription_of(invoice: &Invoice) -> Option<&str> {
    property(invoice, "subscription_id")
}
