//! Validates arguments without sending them.

use serde_json::{Map, Value};
use settlekit_core::validate::Report;
use settlekit_forms::scan;

use crate::error::CallError;
use crate::operation::Description;

/// What is validated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// One object with the parameters of path, query and body.
    All,
    /// The query alone.
    Query,
    /// The body alone, which may be any JSON.
    Body,
}

impl Description {
    /// Validates arguments; `given` is JSON, or empty for none. With a `field`, only its errors and those of everything within it
    /// count; an empty text means all.
    ///
    /// # Errors
    /// The validation errors, identical to the service's.
    pub fn validate(&self, part: Part, field: &str, given: &str) -> Result<(), CallError> {
        let given = match given {
            "" => Value::Object(Map::new()),
            text => scan::tree(text.as_bytes())
                .map_err(|_| CallError::unusable("the arguments are not JSON".to_owned()))?,
        };
        let mut report = self.report(part, given);
        if !field.is_empty() {
            report.keep_field(field);
        }
        match report.is_clean() {
            true => Ok(()),
            false => Err(CallError::invalid(&report, self.room)),
        }
    }

    fn report(&self, part: Part, given: Value) -> Report {
        match (part, given) {
            (Part::Query, Value::Object(query)) => self.outline.validate_query(&query),
            (Part::All, Value::Object(arguments)) => {
                self.outline.validate(self.sort_out(arguments))
            }
            // `validate_body` rejects every value that is not an object.
            (_, body) => self.outline.validate_body(Some(self.to_body(body))),
        }
    }
}
