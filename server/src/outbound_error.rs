//! Errors of outbound HTTP as text.

use std::error::Error;

/// The error with its causes, without the URL, which may contain a token.
pub(crate) fn describe(error: reqwest::Error) -> String {
    let mut text = match () {
        () if error.is_timeout() => "no answer in time".to_owned(),
        () if error.is_connect() => "no connection".to_owned(),
        () if error.is_body() || error.is_decode() => "the answer broke off".to_owned(),
        () => "not sent".to_owned(),
    };
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
        cause = error.source();
    }
    text
}
