//! Transitions of a movement's status.

use super::MovementStatus::{
    self, Confirmed, Failed, PartialRefunded, Pending, Processing, Refunded,
};
use crate::state::Moves;

/// Transitions of a movement's status.
pub static MOVEMENT_MOVES: Moves<MovementStatus> = Moves {
    subject: "Movement",
    begins: &[Pending, Processing],
    moves: &[
        (
            Pending,
            Processing,
            "it is in a block, or handed to the chain",
        ),
        (Pending, Confirmed, "it was carried out at once"),
        (Pending, Failed, "it was given up before it left"),
        (Processing, Confirmed, "it is confirmed from outside"),
        (Processing, Failed, "the transaction failed, or vanished"),
        (Confirmed, Refunded, "all was sent back"),
        (Confirmed, PartialRefunded, "a part was sent back"),
        (PartialRefunded, Refunded, "the rest was sent back"),
    ],
};
