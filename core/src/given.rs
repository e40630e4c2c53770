//! What a caller gave in a body, read value by value, every complaint with its place: `items[3].plan.name`.
//!
//! Answers are read by serde, which stops at the first mistake and does not say where. A body is read here, so that all of
//! its mistakes are told at once. No rule of the contract lives here: those are `Validate`'s.

use std::fmt;

use serde_json::Value;

use crate::error::Reason;
use crate::validate::Report;
use crate::value::{Number, Object, Param};

/// A place in a body.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    above: Option<&'a At<'a>>,
    step: Step<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Name(&'a str),
    Place(usize),
}

impl<'a> At<'a> {
    /// A field of the body itself.
    pub const fn field(name: &'a str) -> Self {
        Self {
            above: None,
            step: Step::Name(name),
        }
    }

    /// A field of what is at this place.
    pub const fn name(&'a self, name: &'a str) -> Self {
        Self {
            above: Some(self),
            step: Step::Name(name),
        }
    }

    /// An entry of the list at this place.
    pub const fn place(&'a self, place: usize) -> Self {
        Self {
            above: Some(self),
            step: Step::Place(place),
        }
    }

    /// Complains about what is at this place.
    pub fn complain(&self, reason: Reason, message: impl Into<String>, report: &mut Report) {
        report.complain(&self.to_string(), reason, message);
    }

    fn wrong_type(&self, wanted: &str, report: &mut Report) {
        self.complain(Reason::WrongType, format!("must be {wanted}"), report);
    }
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.above, self.step) {
            (None, Step::Name(name)) => f.write_str(name),
            (Some(above), Step::Name(name)) => write!(f, "{above}.{name}"),
            (None, Step::Place(place)) => write!(f, "[{place}]"),
            (Some(above), Step::Place(place)) => write!(f, "{above}[{place}]"),
        }
    }
}

/// A value that a caller can give in a body.
pub trait Given: Sized {
    /// Reads it; complains and gives none when it is not of its form.
    fn given(value: &Value, at: &At<'_>, report: &mut Report) -> Option<Self>;

    /// What it is when it is not given; none when it must be.
    fn absent() -> Option<Self> {
        None
    }
}

/// Reads one field of an object; complains when it is missing or not of its form.
pub fn read<T: Given>(given: Option<&Value>, at: &At<'_>, report: &mut Report) -> Option<T> {
    match given.filter(|value| !value.is_null()) {
        Some(value) => T::given(value, at, report),
        None => {
            let absent = T::absent();
            if absent.is_none() {
                at.complain(Reason::Required, "is required", report);
            }
            absent
        }
    }
}

impl<T: Given> Given for Option<T> {
    fn given(value: &Value, at: &At<'_>, report: &mut Report) -> Option<Self> {
        T::given(value, at, report).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Given> Given for Vec<T> {
    fn given(value: &Value, at: &At<'_>, report: &mut Report) -> Option<Self> {
        let Value::Array(entries) = value else {
            at.wrong_type("a list", report);
            return None;
        };
        // All are read before any is used: one complaint must not hide the next.
        let mut read_all = Some(Self::with_capacity(entries.len()));
        for (place, entry) in entries.iter().enumerate() {
            match (read(Some(entry), &at.place(place), report), &mut read_all) {
                (Some(entry), Some(read_all)) => read_all.push(entry),
                _ => read_all = None,
            }
        }
        read_all
    }
}

/// Reads a value that is text on the wire.
pub fn text<T: Param>(value: &Value, at: &At<'_>, report: &mut Report) -> Option<T> {
    let Value::String(text) = value else {
        at.wrong_type("text", report);
        return None;
    };
    T::from_text(text)
        .map_err(|(reason, message)| at.complain(reason, message, report))
        .ok()
}

/// Reads a value that is a whole number on the wire.
pub fn whole_number<T: Param>(value: &Value, at: &At<'_>, report: &mut Report) -> Option<T> {
    let Value::Number(number) = value else {
        at.wrong_type("a whole number", report);
        return None;
    };
    T::from_text(number.as_str())
        .map_err(|(reason, message)| at.complain(reason, message, report))
        .ok()
}

impl Given for String {
    fn given(value: &Value, at: &At<'_>, report: &mut Report) -> Option<Self> {
        let text = value.as_str();
        if text.is_none() {
            at.wrong_type("text", report);
        }
        text.map(str::to_owned)
    }
}

impl Given for bool {
    fn given(value: &Value, at: &At<'_>, report: &mut Report) -> Option<Self> {
        let flag = value.as_bool();
        if flag.is_none() {
            at.wrong_type("true or false", report);
        }
        flag
    }
}

impl Given for i64 {
    fn given(value: &Value, at: &At<'_>, report: &mut Report) -> Option<Self> {
        whole_number(value, at, report)
    }
}

impl Given for Object {
    fn given(value: &Value, at: &At<'_>, report: &mut Report) -> Option<Self> {
        let object = value.as_object();
        if object.is_none() {
            at.wrong_type("an object", report);
        }
        object.cloned()
    }
}

impl Given for Number {
    fn given(value: &Value, at: &At<'_>, report: &mut Report) -> Option<Self> {
        let Value::Number(number) = value else {
            at.wrong_type("a number", report);
            return None;
        };
        Self::from_text(number.as_str())
            .map_err(|(reason, message)| at.complain(reason, message, report))
            .ok()
    }
}

/// `Given` for values that are text on the wire, or whole numbers, and know how to read themselves.
macro_rules! given_as {
    ($read:ident: $($type:ty),+ $(,)?) => {$(
        impl $crate::given::Given for $type {
            fn given(
                value: &serde_json::Value,
                at: &$crate::given::At<'_>,
                report: &mut $crate::validate::Report,
            ) -> Option<Self> {
                $crate::given::$read(value, at, report)
            }
        }
    )+};
}
pub(crate) use given_as;

/// Complains about the names of an object that nobody asked for.
pub fn refuse_unknown(fields: &Object, known: &[&str], at: &At<'_>, report: &mut Report) {
    for name in fields.keys().filter(|name| !known.contains(&name.as_str())) {
        at.name(name).complain(
            Reason::UnknownField,
            "is not a field of this operation",
            report,
        );
    }
}

/// `Given` for a record that stands inside a body. The fields are those of the record: a forgotten one does not compile.
macro_rules! given_record {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::given::Given for $name {
            fn given(
                value: &serde_json::Value,
                at: &$crate::given::At<'_>,
                report: &mut $crate::validate::Report,
            ) -> Option<Self> {
                let fields = <$crate::value::Object as $crate::given::Given>::given(value, at, report)?;
                $(
                    let name = $crate::field::plain(stringify!($field));
                    let $field = $crate::given::read(fields.get(name), &at.name(name), report);
                )+
                $crate::given::refuse_unknown(
                    &fields,
                    &[$($crate::field::plain(stringify!($field))),+],
                    at,
                    report,
                );
                Some(Self { $($field: $field?,)+ })
            }
        }
    };
}
pub(crate) use given_record;
