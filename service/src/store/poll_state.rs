//! The state of repeated questions to an outside party: when the next one is due, when the last one was asked, since when they fail.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::columns::columns;

/// How long a server has to report before another one asks.
pub(crate) const LEASE: Duration = Duration::from_secs(60);

/// The longest back-off, and the longest pause.
pub(crate) const BACK_OFF_MAX: Duration = Duration::from_secs(10 * 60);

/// The waits after failures.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BackOff {
    /// The first, which doubles with each failure.
    pub(crate) first: Duration,
    /// The longest.
    pub(crate) max: Duration,
}

/// The usual back-off.
const BACK_OFF: BackOff = BackOff {
    first: Duration::from_secs(15),
    max: BACK_OFF_MAX,
};

/// A time that is due later than this was set by a clock that was ahead.
pub(crate) const DUE_MAX: Duration = Duration::from_secs(60 * 60);

/// The state of repeated questions.
#[derive(Debug, Clone)]
pub(crate) struct PollState {
    /// When it is read next.
    pub(crate) due_at: Timestamp,
    /// When it was asked last: only the answers to that count.
    pub(crate) asked_at: Timestamp,
    /// Failures since the last success.
    pub(crate) failures: u32,
    pub(crate) failing_since: Option<Timestamp>,
    /// The last failure; after a success, that of a part of it.
    pub(crate) last_error: Option<String>,
    pub(crate) succeeded_at: Option<Timestamp>,
}

columns! { PollState { due_at, asked_at, failures, failing_since, last_error, succeeded_at } }

impl PollState {
    /// Never asked before, and due at a time.
    pub(crate) fn due_at(due_at: Timestamp) -> Self {
        Self {
            due_at,
            asked_at: no_round(),
            failures: 0,
            failing_since: None,
            last_error: None,
            succeeded_at: None,
        }
    }

    pub(crate) fn is_due(&self, now: Timestamp) -> bool {
        self.due_at <= now || self.due_at.since(now) > DUE_MAX
    }

    /// The state while a server asks.
    pub(crate) fn after_request(&self, now: Timestamp) -> Self {
        Self {
            asked_at: now,
            due_at: now.plus(LEASE),
            ..self.clone()
        }
    }

    /// The state after a success, with its partial failure.
    pub(crate) fn after_success(
        &self,
        now: Timestamp,
        due_at: Timestamp,
        last_error: Option<String>,
    ) -> Self {
        Self {
            due_at,
            asked_at: no_round(),
            failures: 0,
            failing_since: None,
            last_error,
            succeeded_at: Some(now),
        }
    }

    /// The state after a failure, which is retried no earlier than after a pause.
    pub(crate) fn after_refusal(&self, now: Timestamp, error: &str, pause: Duration) -> Self {
        self.after_refusal_with(BACK_OFF, now, error, pause)
    }

    /// As [`Self::after_refusal`], with a back-off of its own.
    pub(crate) fn after_refusal_with(
        &self,
        back_off: BackOff,
        now: Timestamp,
        error: &str,
        pause: Duration,
    ) -> Self {
        let failed = self.failed(back_off, now, error);
        let due_at = failed.due_at.max(now.plus(pause.min(BACK_OFF_MAX)));
        Self { due_at, ..failed }
    }

    /// The state after a failure.
    pub(crate) fn after_failure(&self, now: Timestamp, error: &str) -> Self {
        self.failed(BACK_OFF, now, error)
    }

    fn failed(&self, back_off: BackOff, now: Timestamp, error: &str) -> Self {
        let failures = self.failures.saturating_add(1);
        let doublings = 2_u32.saturating_pow(failures - 1);
        let wait = back_off.first.saturating_mul(doublings).min(back_off.max);
        Self {
            due_at: now.plus(wait),
            asked_at: no_round(),
            failures,
            failing_since: self.failing_since.or(Some(now)),
            last_error: Some(error.to_owned()),
            succeeded_at: self.succeeded_at,
        }
    }
}

/// The same answer is not recorded twice.
fn no_round() -> Timestamp {
    Timestamp::from_micros(0)
}
