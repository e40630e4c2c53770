//! The moves of an invoice: as a document, of its payment, of what is done when it is overdue.

use super::{DunningStatus, InvoicePaymentStatus, InvoiceStatus};
use crate::state::Moves;

/// The moves of an invoice as a document.
pub static MOVES: Moves<InvoiceStatus> = Moves {
    subject: "Invoice",
    begins: &[InvoiceStatus::Draft, InvoiceStatus::Finalized],
    moves: &[
        (
            InvoiceStatus::Draft,
            InvoiceStatus::Finalized,
            "it is issued",
        ),
        (
            InvoiceStatus::Draft,
            InvoiceStatus::Voided,
            "it was withdrawn before it was issued",
        ),
        (
            InvoiceStatus::Finalized,
            InvoiceStatus::Voided,
            "it was withdrawn unpaid",
        ),
    ],
};

/// The moves of an invoice's payment.
pub static PAYMENT_MOVES: Moves<InvoicePaymentStatus> = Moves {
    subject: "Payment of an invoice",
    begins: &[InvoicePaymentStatus::Pending],
    moves: &[
        (
            InvoicePaymentStatus::Pending,
            InvoicePaymentStatus::Succeeded,
            "a payment of it is confirmed",
        ),
        (
            InvoicePaymentStatus::Pending,
            InvoicePaymentStatus::Failed,
            "a payment of it failed",
        ),
        (
            InvoicePaymentStatus::Failed,
            InvoicePaymentStatus::Pending,
            "it is tried again",
        ),
        (
            InvoicePaymentStatus::Failed,
            InvoicePaymentStatus::Succeeded,
            "a payment of it is confirmed late",
        ),
    ],
};

/// The moves of what is done about an invoice that is overdue.
pub static DUNNING_MOVES: Moves<DunningStatus> = Moves {
    subject: "Dunning",
    begins: &[DunningStatus::None],
    moves: &[
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
            "the last reminder brought nothing",
        ),
        (
            DunningStatus::Overdue,
            DunningStatus::None,
            "it was paid or withdrawn",
        ),
        (
            DunningStatus::Reminded,
            DunningStatus::None,
            "it was paid or withdrawn",
        ),
        (
            DunningStatus::GivenUp,
            DunningStatus::None,
            "it was paid or withdrawn",
        ),
    ],
};
