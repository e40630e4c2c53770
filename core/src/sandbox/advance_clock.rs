//! `POST /sandbox/clock`.

use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::Timestamp;
use crate::value::record::record;

/// The furthest the clock moves in one call: ten years.
pub(super) const ADVANCE_SECONDS_MAX: i64 = 10 * 366 * 86_400;

body! {
    /// How far to move the clock.
    AdvanceClockBody {
        /// Seconds, 0 or more: time never goes back.
        advance_seconds: i64,
    }
}

impl Validate for AdvanceClockBody {
    fn validate(&self, report: &mut Report) {
        if !(0..=ADVANCE_SECONDS_MAX).contains(&self.advance_seconds) {
            report.complain(
                "advance_seconds",
                Reason::OutOfRange,
                format!("must be between 0 and {ADVANCE_SECONDS_MAX}"),
            );
        }
    }
}

record! {
    /// The service's clock.
    Clock {
        /// What the service takes for now.
        now: Timestamp,
        /// How far it runs ahead of the host's clock, in seconds.
        ahead_seconds: i64,
    }
}

operation! {
    /// Moves the service's clock forward.
    AdvanceClock in "sandbox": POST "/sandbox/clock",
    body: AdvanceClockBody,
    response: Clock,
    SCOPE: Scope::Manage,
    SANDBOX: true,
}
