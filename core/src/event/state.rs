//! Transitions of a delivery's status. A failed attempt with a scheduled retry is no transition.

use super::DeliveryStatus;
use crate::state::transitions;

transitions! {
    /// Transitions of a delivery's status.
    DELIVERY_TRANSITIONS: DeliveryStatus of "Delivery", initially Pending, Skipped;
    Pending => Succeeded: "the receiver accepted it",
    Pending => Failed: "the last scheduled attempt failed, or the receiver no longer exists",
    Failed => Pending: "it is retried manually",
    Succeeded => Pending: "it is retried manually",
    Skipped => Pending: "it is retried manually after a webhook URL was set",
}
