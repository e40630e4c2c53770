//! `POST /sandbox/faults`.

use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::record::record;

/// The most calls that one fault meets.
const CALLS_MAX: i64 = 1000;

body! {
    /// How the next calls are to fail.
    CreateFaultBody {
        /// Only calls of this operation (`CreatePaylink`); all but those of the sandbox when absent.
        operation: Option<String>,
        /// The reason they are refused with, one of the closed list.
        reason: String,
        /// Whether the work is done all the same and only the answer is lost.
        after_commit: Option<bool>,
        /// How many calls; one when absent.
        calls: Option<i64>,
    }
}

impl Validate for CreateFaultBody {
    fn validate(&self, report: &mut Report) {
        // Whether there is such an operation is the service's to say: the list of all is not linked into every client.
        report.maybe_text("operation", self.operation.as_ref(), 64);
        if Reason::from_wire(&self.reason).is_none() {
            report.complain("reason", Reason::UnknownValue, "is not a reason");
        }
        report.quantity("calls", self.calls, 1..=CALLS_MAX);
    }
}

record! {
    /// How the next calls fail.
    Fault {
        /// Only calls of this operation.
        operation?: String,
        /// The reason they are refused with.
        reason: String,
        /// Whether the work is done all the same.
        after_commit: bool,
        /// How many calls are still to fail.
        calls: i64,
    }
}

operation! {
    /// Makes the next calls fail as told.
    CreateFault in "sandbox": POST "/sandbox/faults",
    body: CreateFaultBody,
    response: Fault,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Manage,
    SANDBOX: true,
}
