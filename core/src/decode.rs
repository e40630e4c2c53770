//! Decodes a body value by value, and reports every error with its field: `items[3].plan.name`.
//!
//! Answers are decoded by serde, which stops at the first error and does not name the field. Bodies are decoded here, so that
//! all errors are reported at once. The contract's rules do not belong here, but in `Validate`.

use std::fmt::{self, Write};

use crate::error::Reason;
use crate::json::{Fields, Json};
use crate::validate::{FIELD_BYTES_MAX, Report, StandIn};
use crate::value::{Number, Object, Param, QueryValue};

/// A field's name on the wire, without the `r#` of a raw identifier.
pub const fn plain(name: &'static str) -> &'static str {
    let bytes = name.as_bytes();
    if bytes.len() > 2 && bytes[0] == b'r' && bytes[1] == b'#' {
        name.split_at(2).1
    } else {
        name
    }
}

/// Path of a value in a body.
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
    /// A top-level field of the body.
    pub const fn field(name: &'a str) -> Self {
        Self {
            above: None,
            step: Step::Name(name),
        }
    }

    /// A field of the value at this path.
    pub const fn name(&'a self, name: &'a str) -> Self {
        Self {
            above: Some(self),
            step: Step::Name(name),
        }
    }

    /// An entry of the list at this path.
    pub const fn place(&'a self, place: usize) -> Self {
        Self {
            above: Some(self),
            step: Step::Place(place),
        }
    }

    /// Reports an error at this path.
    pub fn add_error(&self, reason: Reason, message: impl Into<String>, report: &mut Report) {
        if report.is_full() {
            report.leave_out();
        } else {
            report.add_error(&self.written(), reason, message);
        }
    }

    /// The path as text, cut at [`FIELD_BYTES_MAX`]: field names can be as long as a body.
    fn written(&self) -> String {
        let mut text = LimitedText(String::new());
        // An error means that the limit was reached.
        let _ended = write!(text, "{self}");
        text.0
    }

    fn wrong_type(&self, wanted: &str, report: &mut Report) {
        self.add_error(Reason::WrongType, format!("must be {wanted}"), report);
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

/// A text limited to [`FIELD_BYTES_MAX`]; writing beyond fails.
struct LimitedText(String);

impl Write for LimitedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = FIELD_BYTES_MAX - self.0.len();
        if text.len() <= room {
            self.0.push_str(text);
            return Ok(());
        }
        self.0.push_str(&text[..text.floor_char_boundary(room)]);
        self.0.push('…');
        Err(fmt::Error)
    }
}

/// A type that a body can contain.
pub trait Decode: Sized {
    /// Reads the value; if malformed, reports it and returns a stand-in.
    fn decode(value: &Json<'_>, at: &At<'_>, report: &mut Report) -> Self;

    /// Stand-in for an unreadable value.
    fn stand_in(which: StandIn) -> Self;

    /// Value of an absent field; none if the field is required.
    fn absent() -> Option<Self> {
        None
    }
}

/// Reads one field of an object; reports it if missing or malformed.
pub fn read<T: Decode>(given: Option<&Json<'_>>, at: &At<'_>, report: &mut Report) -> T {
    match given.filter(|value| **value != Json::Null) {
        Some(value) => T::decode(value, at, report),
        None => T::absent().unwrap_or_else(|| {
            at.add_error(Reason::Required, "is required", report);
            T::stand_in(report.stand_in())
        }),
    }
}

/// The values of an object's fields, in the order of their declaration.
#[derive(Debug, Clone, Copy)]
pub struct FieldValues<'a> {
    names: &'static [&'static str],
    values: &'a [Option<&'a Json<'a>>],
    above: Option<&'a At<'a>>,
}

impl<'a> FieldValues<'a> {
    /// Values of the fields `names` of the object at the path `above`; none for the body itself.
    pub const fn new(
        names: &'static [&'static str],
        values: &'a [Option<&'a Json<'a>>],
        above: Option<&'a At<'a>>,
    ) -> Self {
        Self {
            names,
            values,
            above,
        }
    }

    /// Reads a field by its index.
    // Never inlined, here and in `validate`: the npm package's wasm reads 300 fields, and is compiled for speed.
    #[inline(never)]
    pub fn read<T: Decode>(&self, index: usize, report: &mut Report) -> T {
        let step = Step::Name(self.names.get(index).copied().unwrap_or_default());
        let above = self.above;
        let given = self.values.get(index).copied().flatten();
        read(given, &At { above, step }, report)
    }
}

/// Index of a name; fails the build if there is none.
pub const fn index_of(names: &[&str], name: &str) -> usize {
    let mut index = 0;
    while !is_equal(names[index], name) {
        index += 1;
    }
    index
}

/// Comparison of texts by `==`, which is not possible while compiling.
pub const fn is_equal(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

/// The value, or a reported type error and a stand-in.
fn typed<T: Decode>(value: Option<T>, wanted: &str, at: &At<'_>, report: &mut Report) -> T {
    value.unwrap_or_else(|| {
        at.wrong_type(wanted, report);
        T::stand_in(report.stand_in())
    })
}

impl<T: Decode> Decode for Option<T> {
    fn decode(value: &Json<'_>, at: &At<'_>, report: &mut Report) -> Self {
        Some(T::decode(value, at, report))
    }

    fn stand_in(_: StandIn) -> Self {
        None
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(value: &Json<'_>, at: &At<'_>, report: &mut Report) -> Self {
        let Json::List(entries) = value else {
            at.wrong_type("a list", report);
            return Self::new();
        };
        let entries = entries.iter().enumerate();
        entries
            .map(|(place, entry)| read(Some(entry), &at.place(place), report))
            .collect()
    }

    fn stand_in(_: StandIn) -> Self {
        Self::new()
    }
}

/// Reads a JSON string.
pub fn text<T: Param>(value: &Json<'_>, at: &At<'_>, report: &mut Report) -> T {
    let Json::Text(text) = value else {
        at.wrong_type("text", report);
        return T::stand_in("", report.stand_in());
    };
    T::read(text, at, report)
}

/// Reads a JSON integer.
pub fn whole_number<T: Param>(value: &Json<'_>, at: &At<'_>, report: &mut Report) -> T {
    let Json::Number(digits) = value else {
        at.wrong_type("a whole number", report);
        return T::stand_in("", report.stand_in());
    };
    QueryValue::read(digits, at, report)
}

impl Decode for String {
    fn decode(value: &Json<'_>, at: &At<'_>, report: &mut Report) -> Self {
        typed(value.text().map(str::to_owned), "text", at, report)
    }

    fn stand_in(which: StandIn) -> Self {
        which.text()
    }
}

impl Decode for bool {
    fn decode(value: &Json<'_>, at: &At<'_>, report: &mut Report) -> Self {
        let given = match value {
            Json::Bool(given) => Some(*given),
            _ => None,
        };
        typed(given, "true or false", at, report)
    }

    fn stand_in(which: StandIn) -> Self {
        Param::stand_in("", which)
    }
}

impl Decode for i64 {
    fn decode(value: &Json<'_>, at: &At<'_>, report: &mut Report) -> Self {
        whole_number(value, at, report)
    }

    fn stand_in(which: StandIn) -> Self {
        Param::stand_in("", which)
    }
}

impl Decode for Object {
    fn decode(value: &Json<'_>, at: &At<'_>, report: &mut Report) -> Self {
        typed(value.fields().map(Fields::to_map), "an object", at, report)
    }

    fn stand_in(_: StandIn) -> Self {
        Self::new()
    }
}

impl Decode for Number {
    fn decode(value: &Json<'_>, at: &At<'_>, report: &mut Report) -> Self {
        let Json::Number(digits) = value else {
            at.wrong_type("a number", report);
            return <Self as Decode>::stand_in(report.stand_in());
        };
        QueryValue::read(digits, at, report)
    }

    fn stand_in(which: StandIn) -> Self {
        Param::stand_in("", which)
    }
}

/// `Decode` for types with a `Param` implementation, read from a JSON string or integer.
macro_rules! decode_as {
    ($read:ident: $($type:ty),+ $(,)?) => {$(
        impl $crate::decode::Decode for $type {
            fn decode(
                value: &$crate::json::Json<'_>,
                at: &$crate::decode::At<'_>,
                report: &mut $crate::validate::Report,
            ) -> Self {
                $crate::decode::$read(value, at, report)
            }

            fn stand_in(which: $crate::validate::StandIn) -> Self {
                $crate::value::Param::stand_in("", which)
            }
        }
    )+};
}
pub(crate) use decode_as;

/// The fields of a record; reports a value that is not an object.
pub fn fields<'a, 'b>(
    value: &'a Json<'b>,
    at: &At<'_>,
    report: &mut Report,
) -> Option<&'a Fields<'b>> {
    let fields = value.fields();
    if fields.is_none() {
        at.wrong_type("an object", report);
    }
    fields
}

/// Reports unknown names in an object.
pub fn refuse_unknown(fields: &Fields<'_>, known: &[&str], at: &At<'_>, report: &mut Report) {
    for (name, _) in fields.iter().filter(|(name, _)| !known.contains(name)) {
        at.name(name).add_error(
            Reason::UnknownField,
            "is not a field of this operation",
            report,
        );
    }
}

/// Reports each text that contains NUL and has no other error. PostgreSQL can't store NUL, so both databases reject it.
pub fn refuse_nul(value: &Json<'_>, at: &At<'_>, report: &mut Report) {
    match value {
        Json::Text(text) => refuse_nul_in(text, at, report),
        Json::List(entries) => {
            for (place, entry) in entries.iter().enumerate() {
                refuse_nul(entry, &at.place(place), report);
            }
        }
        Json::Object(fields) => {
            let mut is_told = false;
            for (name, value) in fields.iter() {
                // A NUL in a name is reported once, for the enclosing object.
                if !is_told && has_nul(name) {
                    report_nul(at, report);
                    is_told = true;
                }
                refuse_nul(value, &at.name(name), report);
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

/// [`refuse_nul`] for one text.
pub fn refuse_nul_in(text: &str, at: &At<'_>, report: &mut Report) {
    if has_nul(text) {
        report_nul(at, report);
    }
}

fn has_nul(text: &str) -> bool {
    text.as_bytes().contains(&0)
}

fn report_nul(at: &At<'_>, report: &mut Report) {
    if report.is_full() {
        report.leave_out();
    } else if !report.has(&at.written()) {
        let message = "must not contain the character NUL";
        at.add_error(Reason::TextMalformed, message, report);
    }
}

/// Declares a record that a body may contain, with `Decode`.
macro_rules! body_record {
    ($(#[$meta:meta])* $name:ident { $($fields:tt)* }) => {
        $crate::value::record::record! { $(#[$meta])* $name { $($fields)* } }
        $crate::decode::decode_record! { $name { $($fields)* } }
    };
}
pub(crate) use body_record;

/// `Decode` for the fields of a record.
macro_rules! decode_record {
    ($name:ident { $($(#[$meta:meta])* $field:ident $(?)?: $type:ty),+ $(,)? }) => {
        impl $crate::decode::Decode for $name {
            fn decode(
                value: &$crate::json::Json<'_>,
                at: &$crate::decode::At<'_>,
                report: &mut $crate::validate::Report,
            ) -> Self {
                let Some(fields) = $crate::decode::fields(value, at, report) else {
                    return $crate::decode::Decode::stand_in(report.stand_in());
                };
                const NAMES: &[&str] = &[$($crate::decode::plain(stringify!($field))),+];
                let mut values = [None; NAMES.len()];
                let are_known = fields.place(NAMES, &mut values);
                let values = $crate::decode::FieldValues::new(NAMES, &values, Some(at));
                $(
                    let index = const { $crate::decode::index_of(NAMES, $crate::decode::plain(stringify!($field))) };
                    let $field = values.read(index, report);
                )+
                if !are_known {
                    $crate::decode::refuse_unknown(fields, NAMES, at, report);
                }
                Self { $($field,)+ }
            }

            fn stand_in(which: $crate::validate::StandIn) -> Self {
                Self { $($field: $crate::decode::Decode::stand_in(which),)+ }
            }
        }
    };
}
pub(crate) use decode_record;
