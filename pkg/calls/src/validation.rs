//! Validates arguments without sending them.

use settlekit_core::call::Given;
pub use settlekit_core::call::Part;
use settlekit_core::error::{ErrorDetail, Reason};
use settlekit_core::json::{Fields, Json};
use settlekit_core::validate::Report;
use settlekit_forms::scan;

use crate::error::CallError;
use crate::operation::Description;

impl Description {
    /// Validates arguments as [`Description::errors`] does.
    ///
    /// # Errors
    /// The validation errors, identical to the service's.
    pub fn validate(&self, part: Part, field: &str, given: &str) -> Result<(), CallError> {
        let report = self.report(part, field, given)?;
        match report.is_clean() {
            true => Ok(()),
            false => Err(CallError::invalid(&report, self.domain)),
        }
    }

    /// The validation errors of arguments, identical to the service's. `given` is JSON, or empty for none: one object with the
    /// parameters of path, query and body, or that of a part. With a `field`, only its errors and those of everything within it
    /// count; an empty text means all.
    pub fn errors(&self, part: Part, field: &str, given: &str) -> Vec<ErrorDetail> {
        match self.report(part, field, given) {
            Ok(report) => report.to_details(self.domain),
            Err(error) => {
                let field = Some(field).filter(|field| !field.is_empty());
                let of_field = |detail| ErrorDetail {
                    field: field.map(str::to_owned),
                    ..detail
                };
                error.errors.into_iter().map(of_field).collect()
            }
        }
    }

    /// The errors that [`Description::errors`] returns, of arguments that are JSON without a null; none for others, which it judges.
    pub fn try_errors(&self, part: Part, given: &str) -> Option<Vec<ErrorDetail>> {
        let parsed = scan::parse(given).ok()?;
        if parsed.has_null || parsed.has_nul {
            return None;
        }
        let (part, given) = self.to_given(part, parsed.value);
        // Most arguments have no errors, and need no sorting.
        Some(match self.outline.accepts(part, &given) {
            true => Vec::new(),
            false => self
                .outline
                .validate_part(part, given)
                .to_details(self.domain),
        })
    }

    fn report(&self, part: Part, field: &str, given: &str) -> Result<Report, CallError> {
        let given = match given {
            "" => Json::Object(Fields::NONE),
            text => scan::tree_of(text).map_err(|_| not_json())?,
        };
        let (part, given) = self.to_given(part, given);
        let mut report = self.outline.validate_part(part, given);
        if !field.is_empty() {
            report.keep_field(field);
        }
        Ok(report)
    }

    /// The arguments by their place in the request, and the part of it that they are.
    fn to_given<'a>(&self, part: Part, given: Json<'a>) -> (Part, Given<'a>) {
        match (part, given) {
            (Part::Query, Json::Object(query)) => {
                let given = Given {
                    query,
                    ..Given::default()
                };
                (Part::Query, given)
            }
            (Part::All, Json::Object(arguments)) => (Part::All, self.split_arguments(arguments)),
            // As a body, every value that is not an object is rejected.
            (_, body) => {
                let body = Some(self.to_body(body));
                (
                    Part::Body,
                    Given {
                        body,
                        ..Given::default()
                    },
                )
            }
        }
    }
}

fn not_json() -> CallError {
    CallError::local(
        "request",
        Reason::BodyMalformed,
        "the arguments are not JSON",
    )
}
