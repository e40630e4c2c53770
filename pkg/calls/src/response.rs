//! Reads responses.

use http::StatusCode;
use serde_json::Value;
use settlekit_core::call::{Failure, failure};
use settlekit_core::json::Json;
use settlekit_core::operation::Wire;
use settlekit_forms::{form, scan};

use crate::error::CallError;
use crate::object;
use crate::operation::Description;

impl Description {
    /// Reads the response to an operation and appends its record to `out`: JSON, with exact numbers as strings. `find_header` takes
    /// lower-case names.
    ///
    /// # Errors
    /// The service's error, or an error of kind [`Kind::Api`](crate::error::Kind::Api) for a response that has not the form of the
    /// operation's record. `out` holds an unfinished text then.
    pub fn read(
        &self,
        status: u16,
        find_header: &dyn Fn(&str) -> Option<String>,
        body: &[u8],
        out: &mut String,
    ) -> Result<(), CallError> {
        let code = status_code(status)?;
        let names_record = !self.path_params.is_empty();
        self.record(code, body, out)
            .map_err(|failure| CallError::of_response(failure, code, names_record, find_header))
    }

    fn record(&self, status: StatusCode, body: &[u8], out: &mut String) -> Result<(), Failure> {
        let mut message = String::new();
        if status.is_success() {
            let form = self.forms.answer;
            let read = match self.wire {
                Wire::Bare => form::translate(body, form, out),
                Wire::Envelope | Wire::List => form::translate_data(body, form, out),
            };
            match read {
                Ok(()) => return Ok(()),
                Err(error) => message = error,
            }
        }
        Err(failure(status, &tree(body), message))
    }
}

/// Reads the error of an unsuccessful response, whichever the operation.
pub fn error(status: u16, find_header: &dyn Fn(&str) -> Option<String>, body: &[u8]) -> CallError {
    match status_code(status) {
        Ok(code) => {
            let failure = failure(code, &tree(body), String::new());
            CallError::of_response(failure, code, true, find_header)
        }
        Err(error) => error,
    }
}

/// The body of an error; null if it is not JSON.
fn tree(body: &[u8]) -> Value {
    scan::tree(body).map_or(Value::Null, |body| body.to_value())
}

fn status_code(status: u16) -> Result<StatusCode, CallError> {
    StatusCode::from_u16(status)
        .map_err(|_| CallError::invalid_argument(format!("{status} is not a status code of HTTP")))
}

/// Response headers from a JSON object with lower-case names.
pub fn headers(text: &str) -> impl Fn(&str) -> Option<String> {
    let headers = object(text, "the headers").unwrap_or_default();
    move |name| headers.get(name).and_then(Json::text).map(str::to_owned)
}
