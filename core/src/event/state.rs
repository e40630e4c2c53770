//! Transitions of a delivery's status. A failed attempt with a scheduled retry is no transition.

use super::DeliveryStatus::{self, Failed, Pending, Skipped, Succeeded};
use crate::state::Moves;

/// Transitions of a delivery's status.
pub static DELIVERY_MOVES: Moves<DeliveryStatus> = Moves {
    subject: "Delivery",
    begins: &[Pending, Skipped],
    moves: &[
        (Pending, Succeeded, "the receiver took it"),
        (
            Pending,
            Failed,
            "the last attempt of the schedule failed, or the receiver is gone",
        ),
        (Failed, Pending, "it is sent again by hand"),
        (Succeeded, Pending, "it is sent again by hand"),
        (
            Skipped,
            Pending,
            "it is sent by hand, now that there is an address",
        ),
    ],
};
