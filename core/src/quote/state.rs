//! Transitions of a quote's status. A quote is accepted at most once.

use super::QuoteStatus::{self, Accepted, Created, Expired, Rejected};
use crate::state::Moves;

/// Transitions of a quote's status.
pub static MOVES: Moves<QuoteStatus> = Moves {
    subject: "Quote",
    begins: &[Created],
    moves: &[
        (Created, Accepted, "it was accepted in time"),
        (Created, Rejected, "it was rejected"),
        (Created, Expired, "its validity is over"),
    ],
};
