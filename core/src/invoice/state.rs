//! Transitions of an invoice's payment and dunning status. The document status is always Finalized.

use super::{DunningStatus, InvoicePaymentStatus};
use crate::state::Moves;

/// Transitions of an invoice's payment status.
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
            "it was given up",
        ),
        (
            InvoicePaymentStatus::Failed,
            InvoicePaymentStatus::Succeeded,
            "a payment of it is confirmed late",
        ),
    ],
};

/// Transitions of an invoice's dunning status.
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
        (DunningStatus::Overdue, DunningStatus::None, "it was paid"),
        (DunningStatus::Reminded, DunningStatus::None, "it was paid"),
        (DunningStatus::GivenUp, DunningStatus::None, "it was paid"),
    ],
};
