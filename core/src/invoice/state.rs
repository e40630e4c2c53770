//! Transitions of an invoice's payment and dunning status. The document status is always Finalized.

use super::{DunningStatus, InvoicePaymentStatus};
use crate::state::Transitions;

/// Transitions of an invoice's payment status.
pub static PAYMENT_TRANSITIONS: Transitions<InvoicePaymentStatus> = Transitions {
    subject: "Invoice payment",
    initial: &[InvoicePaymentStatus::Pending],
    transitions: &[
        (
            InvoicePaymentStatus::Pending,
            InvoicePaymentStatus::Succeeded,
            "a payment is confirmed",
        ),
        (
            InvoicePaymentStatus::Pending,
            InvoicePaymentStatus::Failed,
            "dunning was given up",
        ),
        (
            InvoicePaymentStatus::Failed,
            InvoicePaymentStatus::Succeeded,
            "a late payment is confirmed",
        ),
    ],
};

/// Transitions of an invoice's dunning status.
pub static DUNNING_TRANSITIONS: Transitions<DunningStatus> = Transitions {
    subject: "Dunning",
    initial: &[DunningStatus::None],
    transitions: &[
        (
            DunningStatus::None,
            DunningStatus::Overdue,
            "its due date has passed",
        ),
        (
            DunningStatus::Overdue,
            DunningStatus::Reminded,
            "the customer was reminded",
        ),
        (
            DunningStatus::Reminded,
            DunningStatus::GivenUp,
            "it was not paid after the last reminder",
        ),
        (DunningStatus::Overdue, DunningStatus::None, "it was paid"),
        (DunningStatus::Reminded, DunningStatus::None, "it was paid"),
        (DunningStatus::GivenUp, DunningStatus::None, "it was paid"),
    ],
};
