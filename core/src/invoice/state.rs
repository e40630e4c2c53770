//! Transitions of an invoice's payment and dunning status. The document status is always Finalized.

use super::{DunningStatus, InvoicePaymentStatus};
use crate::state::transitions;

transitions! {
    /// Transitions of an invoice's payment status.
    PAYMENT_TRANSITIONS: InvoicePaymentStatus of "Invoice payment", initially Pending;
    Pending => Succeeded: "a payment is confirmed",
    Pending => Failed: "dunning was given up",
    Failed => Succeeded: "a late payment is confirmed",
}

transitions! {
    /// Transitions of an invoice's dunning status.
    DUNNING_TRANSITIONS: DunningStatus of "Dunning", initially None;
    None => Overdue: "its due date has passed",
    Overdue => Reminded: "the customer was reminded",
    Reminded => GivenUp: "it was not paid after the last reminder",
    Overdue => None: "it was paid",
    Reminded => None: "it was paid",
    GivenUp => None: "it was paid",
}
