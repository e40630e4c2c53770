//! Bodies and path arguments of calls, built from form fields.

use serde_json::{Map, Value};
use settlekit_core::call::Arguments;

use crate::ui::parse_local_time;

/// Body fields; empty inputs are omitted.
#[derive(Default)]
pub(crate) struct Fields(Map<String, Value>);

impl Fields {
    /// A text, unless empty.
    pub(crate) fn text(self, name: &str, value: &str) -> Self {
        self.secret(name, value.trim())
    }

    /// A text, even if empty, which clears the field.
    pub(crate) fn any_text(self, name: &str, value: &str) -> Self {
        self.any_secret(name, value.trim())
    }

    /// A password: as typed, spaces included.
    pub(crate) fn secret(self, name: &str, value: &str) -> Self {
        if value.is_empty() {
            return self;
        }
        self.any_secret(name, value)
    }

    /// A required password: as typed, even if empty.
    pub(crate) fn any_secret(self, name: &str, value: &str) -> Self {
        self.any_value(name, Value::from(value))
    }

    /// A number as typed; core rejects invalid ones.
    pub(crate) fn number(self, name: &str, value: &str) -> Self {
        match value.trim().parse() {
            Ok(number) => self.any_value(name, Value::Number(number)),
            Err(_) => self.text(name, value),
        }
    }

    /// A local time as typed; core rejects invalid ones.
    pub(crate) fn time(self, name: &str, value: &str) -> Self {
        match parse_local_time(value) {
            Some(time) => self.text(name, &time.to_string()),
            None => self.text(name, value),
        }
    }

    /// A list, unless empty.
    pub(crate) fn list<T: Into<Value>>(self, name: &str, list: Vec<T>) -> Self {
        if list.is_empty() {
            return self;
        }
        self.any_value(name, Value::from(list))
    }

    /// A value, unless it is null or an empty object.
    pub(crate) fn value(self, name: &str, value: Value) -> Self {
        if value.is_null() || value.as_object().is_some_and(Map::is_empty) {
            return self;
        }
        self.any_value(name, value)
    }

    /// A value, even if empty, which clears the field.
    pub(crate) fn any_value(mut self, name: &str, value: Value) -> Self {
        self.0.insert(name.to_owned(), value);
        self
    }

    /// Moves the fields `name.field` into the object `name`.
    pub(crate) fn nested(mut self, name: &str) -> Self {
        let mut object = Map::new();
        for (field, value) in std::mem::take(&mut self.0) {
            let inner = field.strip_prefix(name);
            match inner.and_then(|inner| inner.strip_prefix('.')) {
                Some(inner) => object.insert(inner.to_owned(), value),
                None => self.0.insert(field, value),
            };
        }
        self.value(name, Value::Object(object))
    }

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

    /// The fields as the query of a call.
    pub(crate) fn query(self) -> Arguments {
        Arguments {
            query: self.0,
            ..Arguments::default()
        }
    }

    /// The fields as the body of a call with one path parameter.
    pub(crate) fn body_at(self, name: &str, value: impl ToString) -> Arguments {
        Arguments {
            body: Some(self.object()),
            ..path_argument(name, value)
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
