//! `POST /subscriptions/{subscription_id}/invoices`.

use super::Invoice;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::paylink::create_paylink::METADATA_KEYS_MAX;
use crate::validate::{Report, Validate};
use crate::value::{Object, SubscriptionId, Timestamp};

/// Maximum length of an invoice title, in characters.
pub const TITLE_CHARS_MAX: usize = 200;

body! {
    /// A new invoice of a subscription.
    CreateInvoiceBody {
        /// Due date, unique per subscription; the end of the current period when absent.
        due_date: Option<Timestamp>,
        /// Free-form JSON object.
        properties: Option<Object>,
        /// Title.
        title: Option<String>,
    }
}

impl Validate for CreateInvoiceBody {
    fn validate(&self, report: &mut Report) {
        report.keys("properties", self.properties.as_ref(), METADATA_KEYS_MAX);
        report.optional_text("title", self.title.as_ref(), TITLE_CHARS_MAX);
    }
}

operation! {
    /// Creates an invoice for a subscription, or returns the existing one with the same due date.
    CreateInvoice in "invoice": POST "/subscriptions/{subscription_id}/invoices",
    path: CreateInvoicePath {
        /// The subscription's id, with its prefix or as a raw UUID.
        subscription_id: SubscriptionId,
    },
    body: CreateInvoiceBody,
    response: Invoice,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
}
