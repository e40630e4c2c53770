//! What is wrong with a request, for the reader. Core and the service say it in English. In another language it is said in
//! the same words where the table has them, else by its reason; what the English says besides then goes with it.

use js_sys::JsString;
use settlekit_core::value::AmountError;

use crate::text::language::{given, said, translated};
use crate::text::pages::refused;

/// What the dashboard itself says of a day that is none, as core says things.
pub(crate) const NOT_A_DAY: &str = "must be a date such as 2026-11-30";

texts! {
    plain_decimal = "must be a number with a decimal point, such as 12.50";
}

/// What is wrong with a field, or with a request as a whole.
#[derive(Clone)]
pub(crate) struct FieldError {
    /// What stands after the field's name, with what parts them.
    after: String,
    /// The English sentence, where the reader's language has no words for all that it says; else nothing.
    pub(crate) english: String,
}

impl FieldError {
    /// What core or the service says.
    pub(crate) fn of(reason: &str, message: &str) -> Self {
        // Whoever's pages show a comma writes one.
        if message == AmountError::Malformed.to_string() {
            return Self::own(plain_decimal());
        }
        match (given(message), translated(reason)) {
            (Some(given), _) => Self::own(&given),
            (None, Some(reason)) => Self {
                after: format!(": {reason}"),
                english: sentence(message),
            },
            (None, None) => Self::own(message),
        }
    }

    /// What a page says itself, in the reader's language. Other fields' names become words.
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

    /// The same of one entry of a list, counted from 1.
    pub(crate) fn at(self, number: usize) -> Self {
        Self {
            after: format!(" ({number}){}", self.after),
            ..self
        }
    }

    /// As a sentence about what is called so; about the request when that is nothing.
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

/// Errors of fields as one sentence, and the English messages that no translation covers.
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
    // By the browser: Rust's tables of capital letters would be in the first load.
    let first = String::from(JsString::from(first.to_string()).to_upper_case());
    format!("{first}{}{end}", chars.as_str())
}
