//! `POST /sandbox/clock`.

use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::Timestamp;
use crate::value::record::record;

/// Maximum clock change per call: ten years.
pub(super) const ADVANCE_SECONDS_MAX: i64 = 10 * 366 * 86_400;

body! {
    /// A clock change.
    AdvanceClockBody {
        /// Seconds to advance, 0 or more; time never goes back.
        advance_seconds: i64,
    }
}

impl Validate for AdvanceClockBody {
    fn validate(&self, report: &mut Report) {
        if !(0..=ADVANCE_SECONDS_MAX).contains(&self.advance_seconds) {
            report.add_error(
                "advance_seconds",
                Reason::OutOfRange,
                format!("must be between 0 and {ADVANCE_SECONDS_MAX}"),
            );
        }
    }
}

record! {
    /// Clock of the service.
    Clock {
        /// Current time of the service.
        now: Timestamp,
        /// Seconds ahead of the host's clock.
        ahead_seconds: i64,
    }
}

operation! {
    /// Advances the service's clock.
    AdvanceClock in "sandbox": POST "/sandbox/clock",
    body: AdvanceClockBody,
    response: Clock,
    SCOPE: Scope::Manage,
    SANDBOX: true,
}
