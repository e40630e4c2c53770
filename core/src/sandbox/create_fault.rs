//! `POST /sandbox/faults`.

use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::record::record;

const CALLS_MAX: i64 = 1000;

body! {
    /// A fault to inject into the next calls.
    CreateFaultBody {
        /// Only calls of this operation (`CreatePaylink`); all operations except those of the sandbox when absent.
        operation: Option<String>,
        /// Error reason, one of the closed list.
        reason: String,
        /// Whether the change is committed and only the answer is lost.
        after_commit: Option<bool>,
        /// Number of calls; one when absent.
        calls: Option<i64>,
    }
}

impl Validate for CreateFaultBody {
    fn validate(&self, report: &mut Report) {
        // The service checks that the operation exists: clients should not link the catalogue for it.
        report.optional_text("operation", self.operation.as_ref(), 64);
        if Reason::from_wire(&self.reason).is_none() {
            report.add_error(
                "reason",
                Reason::UnknownValue,
                "is not a known error reason",
            );
        }
        report.quantity("calls", self.calls, 1..=CALLS_MAX);
    }
}

record! {
    /// An injected fault.
    Fault {
        /// Only calls of this operation.
        operation?: String,
        /// Error reason.
        reason: String,
        /// Whether the change is committed.
        after_commit: bool,
        /// Number of calls left to fail.
        calls: i64,
    }
}

operation! {
    /// Makes the next calls fail.
    CreateFault in "sandbox": POST "/sandbox/faults",
    body: CreateFaultBody,
    response: Fault,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Manage,
    SANDBOX: true,
}
