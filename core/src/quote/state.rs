//! Transitions of a quote's status. A quote is accepted at most once.

use super::QuoteStatus;
use crate::state::transitions;

transitions! {
    /// Transitions of a quote's status.
    TRANSITIONS: QuoteStatus of "Quote", initially Created;
    Created => Accepted: "it was accepted before it expired",
    Created => Rejected: "it was rejected",
    Created => Expired: "it expired",
}
