//! Bodies and path arguments of calls, built from form fields.

use serde_json::{Map, Value};
use settlekit_core::call::Arguments;

/// Body fields; empty inputs are omitted.
#[derive(Default)]
pub(crate) struct Fields(Map<String, Value>);

impl Fields {
    /// A text, unless empty.
    pub(crate) fn text(mut self, name: &str, value: &str) -> Self {
        let value = value.trim();
        if !value.is_empty() {
            self.0.insert(name.to_owned(), Value::from(value));
        }
        self
    }

    /// A text, even if empty, which clears the field.
    pub(crate) fn any_text(mut self, name: &str, value: &str) -> Self {
        self.0.insert(name.to_owned(), Value::from(value.trim()));
        self
    }

    /// A password: as typed, spaces included.
    pub(crate) fn secret(mut self, name: &str, value: &str) -> Self {
        if !value.is_empty() {
            self.0.insert(name.to_owned(), Value::from(value));
        }
        self
    }

    /// A required password: as typed, even if empty.
    pub(crate) fn any_secret(mut self, name: &str, value: &str) -> Self {
        self.0.insert(name.to_owned(), Value::from(value));
        self
    }

    /// A number as typed; core rejects invalid ones.
    pub(crate) fn number(mut self, name: &str, value: &str) -> Self {
        let value = value.trim();
        if !value.is_empty() {
            let number = value
                .parse::<serde_json::Number>()
                .map_or_else(|_| Value::from(value), Value::Number);
            self.0.insert(name.to_owned(), number);
        }
        self
    }

    /// A value, unless it is null or an empty object.
    pub(crate) fn value(mut self, name: &str, value: Value) -> Self {
        let nothing = value.is_null() || value.as_object().is_some_and(Map::is_empty);
        if !nothing {
            self.0.insert(name.to_owned(), value);
        }
        self
    }

    /// A value, even if empty, which clears the field.
    pub(crate) fn any_value(mut self, name: &str, value: Value) -> Self {
        self.0.insert(name.to_owned(), value);
        self
    }

    /// The fields as a JSON object.
    pub(crate) fn object(self) -> Value {
        Value::Object(self.0)
    }

    /// The fields as the body of a call.
    pub(crate) fn body(self) -> Arguments {
        Arguments {
            body: Some(self.object()),
            ..Arguments::default()
        }
    }
}

/// The merchant's own data, from lines of `name: value`; null if there are none.
///
/// # Errors
/// The number of the first line that is not of this form, counted from 1.
pub(crate) fn own_data(text: &str) -> Result<Value, usize> {
    let own = pairs(text)?.into_iter();
    let own: Map<String, Value> = own
        .map(|(name, value)| (name, Value::from(value)))
        .collect();
    Ok(if own.is_empty() {
        Value::Null
    } else {
        Value::Object(own)
    })
}

/// The arguments of a call with one path parameter.
pub(crate) fn path_argument(name: &str, value: impl ToString) -> Arguments {
    Arguments {
        path: [(name.to_owned(), Value::from(value.to_string()))]
            .into_iter()
            .collect(),
        ..Arguments::default()
    }
}

/// Lines of `name: value` as pairs; empty lines are skipped.
///
/// # Errors
/// The number of the first line that is not of this form, counted from 1.
pub(crate) fn pairs(text: &str) -> Result<Vec<(String, String)>, usize> {
    text.lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty())
        .map(|(line, number)| {
            let (name, value) = line.split_once(':').ok_or(number)?;
            let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
            (!name.is_empty()).then_some((name, value)).ok_or(number)
        })
        .collect()
}
