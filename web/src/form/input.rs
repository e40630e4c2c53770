//! Inputs whose values are body fields as they are. A form converts the others itself.

use leptos::prelude::*;

use crate::form::body::{Fields, own_data};

/// How the value of an input is written to the body.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Text,
    Number,
    Password,
    /// Local time.
    Time,
    /// Lines of `name: value`.
    Metadata,
}

/// A body field and its value, as typed.
pub(crate) struct Input {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) value: RwSignal<String>,
}

impl Input {
    /// Adds the field; an input that was removed from the page has none.
    ///
    /// # Errors
    /// The number of the first unreadable line.
    pub(crate) fn add_to(&self, fields: Fields) -> Result<Fields, usize> {
        let Some(value) = self.value.try_get_untracked() else {
            return Ok(fields);
        };
        Ok(match self.kind {
            Kind::Text => fields.text(self.name, &value),
            Kind::Number => fields.number(self.name, &value),
            Kind::Password => fields.secret(self.name, &value),
            Kind::Time => fields.time(self.name, &value),
            Kind::Metadata => fields.value(self.name, own_data(&value)?),
        })
    }
}
