//! Fields of a form. Inputs without a conversion by the form are body fields as they are.

use leptos::prelude::*;

use crate::form::body::{Fields, own_data};

/// How the value of an input is written to the body.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FieldKind {
    Text,
    Number,
    Password,
    /// Local time.
    Time,
    /// Lines of `name: value`.
    Metadata,
}

/// A field of a form.
#[derive(Clone, Copy)]
pub(crate) enum FormField {
    /// A field on the page, which shows its errors.
    Shown(&'static str),
    /// A field of the body, and its value as typed.
    Body(&'static str, FieldKind, RwSignal<String>),
}

impl FormField {
    /// Whether it shows the errors of the field with this name.
    pub(crate) fn shows(self, name: &str) -> bool {
        matches!(self, Self::Shown(shown) if shown == name)
    }

    /// Adds a field of the body, unless its input was removed from the page.
    ///
    /// # Errors
    /// Its name, and the number of the first unreadable line.
    pub(crate) fn add_to(self, fields: Fields) -> Result<Fields, (&'static str, usize)> {
        let Self::Body(name, kind, value) = self else {
            return Ok(fields);
        };
        let Some(value) = value.try_get_untracked() else {
            return Ok(fields);
        };
        Ok(match kind {
            FieldKind::Text => fields.text(name, &value),
            FieldKind::Number => fields.number(name, &value),
            FieldKind::Password => fields.secret(name, &value),
            FieldKind::Time => fields.time(name, &value),
            FieldKind::Metadata => {
                fields.value(name, own_data(&value).map_err(|line| (name, line))?)
            }
        })
    }
}
