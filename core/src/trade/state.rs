//! Transitions of an order's status.

use super::OrderStatus;
use crate::state::transitions;

transitions! {
    /// Transitions of an order's status.
    ORDER_TRANSITIONS: OrderStatus of "Order", initially Open;
    Open => Processing: "it is funded and sent to the venue",
    Open => Canceled: "it was not funded in time",
    Processing => Settled: "the bought amount is settled, and sent if an address was given",
    Processing => Failed: "the venue rejected it, or the bought amount could not be settled or sent",
}
