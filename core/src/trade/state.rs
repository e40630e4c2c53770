//! Transitions of an order's status.

use super::OrderStatus::{self, Canceled, Failed, Open, Processing, Settled};
use crate::state::Transitions;

/// Transitions of an order's status.
pub static ORDER_TRANSITIONS: Transitions<OrderStatus> = Transitions {
    subject: "Order",
    initial: &[Open],
    transitions: &[
        (Open, Processing, "it is funded and sent to the venue"),
        (Open, Canceled, "it was not funded in time"),
        (Processing, Settled, "the bought amount is settled"),
        (
            Processing,
            Failed,
            "the venue rejected it or could not settle it",
        ),
    ],
};
