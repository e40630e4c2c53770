//! Transitions of a payment's status.

use super::PaymentStatus::{
    self, Canceled, Confirmed, Expired, Failed, PartialRefunded, Pending, Processing, Refunded,
};
use crate::state::Moves;

/// Transitions of a payment's status.
pub static MOVES: Moves<PaymentStatus> = Moves {
    subject: "Payment",
    begins: &[Pending, Processing],
    moves: &[
        (Pending, Processing, "the payout was sent"),
        (Processing, Confirmed, "enough has arrived and is confirmed"),
        (
            Processing,
            Failed,
            "the transaction failed, or too little arrived in time",
        ),
        (Processing, Expired, "nothing arrived in time"),
        (
            Processing,
            Canceled,
            "the merchant canceled before anything was paid",
        ),
        (Expired, Confirmed, "enough arrived late"),
        (Failed, Confirmed, "the rest arrived late"),
        (Confirmed, Refunded, "all was sent back"),
        (Confirmed, PartialRefunded, "a part was sent back"),
        (PartialRefunded, Refunded, "the rest was sent back"),
        (
            Refunded,
            PartialRefunded,
            "a part of what arrived since was sent back",
        ),
        (Expired, Refunded, "all that arrived late was sent back"),
        (
            Expired,
            PartialRefunded,
            "a part of what arrived late was sent back",
        ),
        (Failed, Refunded, "all that arrived was sent back"),
        (
            Failed,
            PartialRefunded,
            "a part of what arrived was sent back",
        ),
        (
            Canceled,
            Refunded,
            "all that arrived all the same was sent back",
        ),
        (
            Canceled,
            PartialRefunded,
            "a part of what arrived all the same was sent back",
        ),
    ],
};
