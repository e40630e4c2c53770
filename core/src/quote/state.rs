//! Transitions of a quote's status. A quote is accepted at most once.

use super::QuoteStatus::{self, Accepted, Created, Expired, Rejected};
use crate::state::Transitions;

/// Transitions of a quote's status.
pub static TRANSITIONS: Transitions<QuoteStatus> = Transitions {
    subject: "Quote",
    initial: &[Created],
    transitions: &[
        (Created, Accepted, "it was accepted before it expired"),
        (Created, Rejected, "it was rejected"),
        (Created, Expired, "it expired"),
    ],
};
