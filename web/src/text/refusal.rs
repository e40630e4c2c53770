//! Validation errors and other errors for the user. Core and the service send English messages. They are translated literally if
//! possible, else by reason, followed by the English message.

use js_sys::JsString;
use settlekit_core::value::AmountError;

use crate::text::language::{translate, translate_message, translated};
use crate::text::pages::refused;

/// The dashboard's own message about an invalid day, worded like core's.
pub(crate) const NOT_A_DAY: &str = "must be a date such as 2026-11-30";

texts! {
    plain_decimal = "must be a number with a decimal point, such as 12.50";
}

/// Error of a field or of the whole request.
#[derive(Clone)]
pub(crate) struct FieldError {
    /// Text after the field name, including the separator.
    after: String,
    /// English message if it has no translation; otherwise empty.
    pub(crate) english: String,
}

impl FieldError {
    /// An error of core or the service.
    pub(crate) fn of(reason: &str, message: &str) -> Self {
        // Locales with a decimal comma need a special hint.
        if message == AmountError::Malformed.to_string() {
            return Self::own(plain_decimal());
        }
        match (translate_message(message), translated(reason)) {
            (Some(translation), _) => Self::own(&translation),
            (None, Some(reason)) => Self {
                after: format!(": {reason}"),
                english: sentence(message),
            },
            (None, None) => Self::own(message),
        }
    }

    /// An error in the user's language, with field names as words.
    pub(crate) fn own(message: &str) -> Self {
        let mut after = String::from(" ");
        for (at, part) in message.split('`').enumerate() {
            match at % 2 {
                0 => after.push_str(part),
                _ => after.push_str(&part.replace('_', " ")),
            }
        }
        Self {
            after,
            english: String::new(),
        }
    }

    /// The error of a list entry, counted from 1.
    pub(crate) fn at(self, number: usize) -> Self {
        Self {
            after: format!(" ({number}){}", self.after),
            ..self
        }
    }

    /// A sentence about the labelled field, or about the request if the label is empty.
    pub(crate) fn about(&self, label: &str) -> String {
        let after = &self.after;
        let after = if label.is_empty() {
            after.trim_start_matches([':', ' '])
        } else {
            after
        };
        format!("{label}{after}.")
    }
}

/// Field errors as one text, and the English messages without a translation.
pub(crate) fn refusal(errors: Vec<(Option<&str>, &str, &str)>) -> (String, String) {
    let (mut all, mut english) = (String::new(), String::new());
    for (field, reason, message) in errors {
        let error = FieldError::of(reason, message);
        if !all.is_empty() {
            all.push_str("; ");
        }
        all.push_str(&error.about(&field.unwrap_or_default().replace('_', " ")));
        all.pop();
        english.push_str(&error.english);
    }
    (sentence(&all), english)
}

/// A message of the service as a sentence.
pub(crate) fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let Some(first) = chars.next() else {
        return refused().to_owned();
    };
    let end = if message.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    // By the browser: Rust's case tables would be in the first load.
    let first = String::from(JsString::from(first.to_string()).to_upper_case());
    format!("{first}{}{end}", chars.as_str())
}
