//! The part that orders and withdrawals share. Both are instructions to the exchange that leave at most once, and are asked about until
//! their outcome is known.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use crate::store::poll_state::PollState;

/// The first interval between two questions. It doubles with each answer that does not list the instruction.
pub(super) const ASK_INTERVAL: Duration = Duration::from_secs(5);

/// How often the exchange must not list an instruction before that means anything: clocks may be wrong, and lists may lag after an outage.
pub(super) const ABSENCES_MIN: u32 = 6;

/// The interval to the next question after answers that do not list the instruction: at least one.
pub(super) fn ask_interval(absences: u32, max: Duration) -> Duration {
    let doublings = 2_u32.saturating_pow(absences.saturating_sub(1));
    ASK_INTERVAL.saturating_mul(doublings).min(max)
}

/// The state after an answer that leaves the outcome open, with the next question at a time. The last error stays.
pub(super) fn asked_again_at(state: &PollState, now: Timestamp, at: Timestamp) -> PollState {
    state.after_success(now, at, state.last_error.clone())
}

/// The time between two clocks' times, without sign.
pub(super) fn distance(one: Timestamp, other: Timestamp) -> Duration {
    one.since(other).max(other.since(one))
}
