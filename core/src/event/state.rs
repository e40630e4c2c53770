//! Transitions of a delivery's status. A failed attempt with a scheduled retry is no transition.

use super::DeliveryStatus::{self, Failed, Pending, Skipped, Succeeded};
use crate::state::Transitions;

/// Transitions of a delivery's status.
pub static DELIVERY_TRANSITIONS: Transitions<DeliveryStatus> = Transitions {
    subject: "Delivery",
    initial: &[Pending, Skipped],
    transitions: &[
        (Pending, Succeeded, "the receiver accepted it"),
        (
            Pending,
            Failed,
            "the last scheduled attempt failed, or the receiver no longer exists",
        ),
        (Failed, Pending, "it is retried manually"),
        (Succeeded, Pending, "it is retried manually"),
        (
            Skipped,
            Pending,
            "it is retried manually after a webhook URL was set",
        ),
    ],
};
