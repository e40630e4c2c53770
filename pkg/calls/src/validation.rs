//! Validates arguments without sending them.

use settlekit_core::call::Given;
pub use settlekit_core::call::Part;
use settlekit_core::json::{Fields, Json};
use settlekit_core::validate::Report;
use settlekit_forms::scan;

use crate::error::CallError;
use crate::operation::Description;

impl Description {
    /// Validates arguments; `given` is JSON, or empty for none: one object with the parameters of path, query and body, or that of a
    /// part. With a `field`, only its errors and those of everything within it count; an empty text means all.
    ///
    /// # Errors
    /// The validation errors, identical to the service's.
    pub fn validate(&self, part: Part, field: &str, given: &str) -> Result<(), CallError> {
        let given = match given {
            "" => Json::Object(Fields::NONE),
            text => scan::tree_of(text).map_err(|_| {
                CallError::invalid_argument("the arguments are not JSON".to_owned())
            })?,
        };
        let mut report = self.report(part, given);
        if !field.is_empty() {
            report.keep_field(field);
        }
        match report.is_clean() {
            true => Ok(()),
            false => Err(CallError::invalid(&report, self.domain)),
        }
    }

    /// Validates arguments as [`Description::validate`] does, if they are JSON without a null; it judges the others.
    pub fn try_validate(&self, part: Part, given: &str) -> Option<Result<(), CallError>> {
        let parsed = scan::parse(given).ok()?;
        if parsed.has_null || parsed.has_nul {
            return None;
        }
        let (part, given) = self.to_given(part, parsed.value);
        if self.outline.accepts(part, &given) {
            return Some(Ok(()));
        }
        let report = self.outline.validate_part(part, &given);
        Some(match report.is_clean() {
            true => Ok(()),
            false => Err(CallError::invalid(&report, self.domain)),
        })
    }

    fn report(&self, part: Part, given: Json<'_>) -> Report {
        let (part, given) = self.to_given(part, given);
        self.outline.validate_part(part, &given)
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
