//! Transitions of an order's status.

use super::OrderStatus::{self, Canceled, Failed, Open, Processing, Settled};
use crate::state::Moves;

/// Transitions of an order's status.
pub static ORDER_MOVES: Moves<OrderStatus> = Moves {
    subject: "Order",
    begins: &[Open],
    moves: &[
        (Open, Processing, "it is funded and sent to the venue"),
        (Open, Canceled, "it was not funded in time"),
        (Processing, Settled, "what was bought has been handed over"),
        (
            Processing,
            Failed,
            "the venue refused it, or could not settle it",
        ),
    ],
};
