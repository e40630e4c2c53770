//! Transitions of a movement's status.

use super::MovementStatus;
use crate::state::transitions;

transitions! {
    /// Transitions of a movement's status.
    MOVEMENT_TRANSITIONS: MovementStatus of "Movement", initially Pending, Processing;
    Pending => Processing: "its transaction is in a block or was sent to the chain",
    Pending => Confirmed: "it was booked immediately",
    Pending => Failed: "it was abandoned before it was sent, or no block has a transaction that was seen",
    Processing => Confirmed: "its transaction is confirmed",
    Processing => Failed: "its transaction failed or disappeared",
    Confirmed => Refunded: "everything was refunded",
    Confirmed => PartialRefunded: "a part was refunded",
    PartialRefunded => Refunded: "the rest was refunded",
}
