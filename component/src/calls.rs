//! The interface `calls`.

use settlekit_calls::operation::find;
use settlekit_calls::{request, response, validation};
use settlekit_core::value::Timestamp;

use crate::bindings::exports::settlekit::core::calls::{
    CallError, Credentials, Guest, HttpRequest, NonceSeed, Part,
};
use crate::{Core, convert};

impl Guest for Core {
    fn validate(operation: String, arguments: String) -> Result<(), CallError> {
        Self::validate_part(operation, Part::All, None, arguments)
    }

    fn validate_part(
        operation: String,
        part: Part,
        field: Option<String>,
        arguments: String,
    ) -> Result<(), CallError> {
        let part = match part {
            Part::All => validation::Part::All,
            Part::Query => validation::Part::Query,
            Part::Body => validation::Part::Body,
        };
        let field = field.unwrap_or_default();
        find(&operation)
            .and_then(|description| description.validate(part, &field, &arguments))
            .map_err(convert::error)
    }

    fn request(
        operation: String,
        arguments: String,
        credentials: Credentials,
        seed: NonceSeed,
    ) -> Result<HttpRequest, CallError> {
        let credentials = convert::credentials(credentials);
        let now = Timestamp::from_millis(seed.now_ms);
        find(&operation)
            .and_then(|description| {
                description.request(&arguments, &credentials, now, &seed.random)
            })
            .map(convert::request)
            .map_err(convert::error)
    }

    fn raw_request(
        method: String,
        target: String,
        body: Option<String>,
        signed: bool,
        credentials: Credentials,
        seed: NonceSeed,
    ) -> Result<HttpRequest, CallError> {
        let credentials = convert::credentials(credentials);
        let now = Timestamp::from_millis(seed.now_ms);
        request::raw(
            &method,
            &target,
            body,
            signed,
            &credentials,
            now,
            &seed.random,
        )
        .map(convert::request)
        .map_err(convert::error)
    }

    fn sign(
        method: String,
        url: String,
        body: Vec<u8>,
        credentials: Credentials,
        seed: NonceSeed,
    ) -> Result<HttpRequest, CallError> {
        // The result holds the body as text.
        if std::str::from_utf8(&body).is_err() {
            let message = "the body must be UTF-8".to_owned();
            return Err(convert::error(
                settlekit_calls::error::CallError::invalid_argument(message),
            ));
        }
        let credentials = convert::credentials(credentials);
        let now = Timestamp::from_millis(seed.now_ms);
        request::signed(&method, &url, body, &credentials, now, &seed.random)
            .map(convert::request)
            .map_err(convert::error)
    }

    fn read(
        operation: String,
        status: u16,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
    ) -> Result<String, CallError> {
        let mut record = String::with_capacity(body.len());
        find(&operation)
            .and_then(|description| {
                description.read(status, &in_list(&headers), &body, &mut record)
            })
            .map(|()| record)
            .map_err(convert::error)
    }

    fn read_error(status: u16, headers: Vec<(String, String)>, body: Vec<u8>) -> CallError {
        convert::error(response::error(status, &in_list(&headers), &body))
    }
}

/// Looks up response headers; hosts may keep the case of their names.
fn in_list(headers: &[(String, String)]) -> impl Fn(&str) -> Option<String> {
    |name| {
        let mut headers = headers.iter();
        let (_, value) = headers.find(|(given, _)| given.eq_ignore_ascii_case(name))?;
        Some(value.clone())
    }
}
