//! Transitions of a subscription's status. Overdue is a flag, not a state.

use super::SubscriptionStatus::{
    self, Active, Canceled, Expired, Future, InTrial, Paused, Pending,
};
use crate::state::Moves;

/// Transitions of a subscription's status.
pub static MOVES: Moves<SubscriptionStatus> = Moves {
    subject: "Subscription",
    begins: &[Pending, Future, InTrial, Active],
    moves: &[
        (Future, InTrial, "its start has come, with a trial"),
        (Future, Active, "its start has come"),
        (Pending, Active, "its first period has begun"),
        (Pending, Expired, "an invoice of it was given up"),
        (InTrial, Active, "the trial is over"),
        (InTrial, Paused, "the merchant paused it"),
        (Active, Paused, "the merchant paused it"),
        (Paused, Active, "the merchant resumed it"),
        (
            Paused,
            InTrial,
            "the merchant resumed it before its trial was over",
        ),
        (Active, Expired, "an invoice of it was given up"),
        (Pending, Canceled, "it was canceled"),
        (Future, Canceled, "it was canceled"),
        (InTrial, Canceled, "it was canceled"),
        (Active, Canceled, "it was canceled"),
        (Paused, Canceled, "it was canceled"),
    ],
};
