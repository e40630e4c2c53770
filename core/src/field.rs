//! Reads bodies and queries field by field, so that all validation errors are reported at once.
//!
//! `body!` and `query!` declare a plain struct. Reading it rejects unknown names, reports each missing or malformed field,
//! and runs `Validate` for the rules between fields.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::decode::{self, At, FieldValues};
use crate::error::Reason;
use crate::json::{Fields, Json};
use crate::validate::{Report, StandIn, Validate};
use crate::value::QueryValue;

/// Body of an operation.
pub trait Body: Validate + Sized + Clone + Send + Sync + 'static {
    /// Field names, in order.
    const FIELDS: &'static [&'static str];

    /// Reads the values of [`Body::FIELDS`], in their order; reports unreadable ones and fills them with a stand-in.
    fn from_values(values: &FieldValues<'_>, report: &mut Report) -> Self;

    /// JSON bytes; none for an operation without a body.
    fn to_bytes(&self) -> Option<Vec<u8>>;
}

/// Query of an operation.
pub trait Query: Validate + Sized + Clone + Send + Sync + 'static {
    /// Parameter names, in order.
    const FIELDS: &'static [&'static str];

    /// Reads the parameters; reports unreadable ones and fills them with a stand-in.
    fn from_pairs(pairs: &[(String, String)], report: &mut Report) -> Self;

    /// Appends the parameters that are set.
    fn to_pairs(&self, pairs: &mut Vec<(&'static str, String)>);
}

/// A query parameter, or a group of them.
pub trait QueryField: Sized {
    /// Reads it from the pairs; on error, reports it and returns a stand-in.
    fn read(name: &'static str, pairs: &[(String, String)], report: &mut Report) -> Self;
    /// Appends it if set.
    fn write(&self, name: &'static str, pairs: &mut Vec<(&'static str, String)>);
    /// Parameter names it covers.
    fn names(name: &'static str) -> Vec<&'static str>;
    /// Reports contradictions within the group.
    fn check(&self, _report: &mut Report) {}
}

/// A required parameter.
impl<T: QueryValue> QueryField for T {
    #[inline(never)]
    fn read(name: &'static str, pairs: &[(String, String)], report: &mut Report) -> Self {
        read_param(name, pairs, report).unwrap_or_else(|| {
            report.add_error(name, Reason::Required, "is required");
            T::missing(report.stand_in())
        })
    }

    #[inline(never)]
    fn write(&self, name: &'static str, pairs: &mut Vec<(&'static str, String)>) {
        pairs.push((name, self.write()));
    }

    fn names(name: &'static str) -> Vec<&'static str> {
        vec![name]
    }
}

/// An optional parameter.
impl<T: QueryValue> QueryField for Option<T> {
    #[inline(never)]
    fn read(name: &'static str, pairs: &[(String, String)], report: &mut Report) -> Self {
        read_param(name, pairs, report)
    }

    #[inline(never)]
    fn write(&self, name: &'static str, pairs: &mut Vec<(&'static str, String)>) {
        if let Some(value) = self {
            pairs.push((name, value.write()));
        }
    }

    fn names(name: &'static str) -> Vec<&'static str> {
        vec![name]
    }
}

/// Reads one parameter; if it is malformed or repeated, reports it and returns a stand-in.
pub fn read_param<T: QueryValue>(
    name: &str,
    pairs: &[(String, String)],
    report: &mut Report,
) -> Option<T> {
    let text = param_text(name, pairs, report)?;
    Some(T::read(text, &At::field(name), report))
}

// Non-generic parts are separate functions, here and below: compiled once, not once per type.
fn param_text<'a>(
    name: &str,
    pairs: &'a [(String, String)],
    report: &mut Report,
) -> Option<&'a str> {
    let mut given = pairs.iter().filter(|(key, _)| key == name);
    let (_, text) = given.next()?;
    if given.next().is_some() {
        report.add_error(name, Reason::Repeated, "must appear only once");
    }
    Some(text)
}

/// Reports names that the operation does not have.
pub fn refuse_unknown(given: &mut dyn Iterator<Item = &str>, known: &[&str], report: &mut Report) {
    // Names mostly come in the operation's order: the next one is looked for first.
    let mut next = 0;
    for name in given {
        let is_it = |other: &&str| other.len() == name.len() && *other == name;
        let (before, after) = known.split_at(next);
        let place = match after.iter().position(is_it) {
            Some(place) => Some(next + place),
            None => before.iter().position(is_it),
        };
        match place {
            Some(place) => next = place + 1,
            None => report.add_error(
                name,
                Reason::UnknownField,
                "is not a field of this operation",
            ),
        }
    }
}

/// Reads and validates a body from the bytes of a request.
pub fn read_body<B: Body>(bytes: &[u8], report: &mut Report) -> Option<B> {
    let value = if B::FIELDS.is_empty() && bytes.iter().all(u8::is_ascii_whitespace) {
        None
    } else {
        Some(value_within(bytes, report)?)
    };
    let json = value.as_ref().map(Json::from);
    check_object(object_within(json.as_ref(), report)?, report)
}

fn value_within(bytes: &[u8], report: &mut Report) -> Option<Value> {
    serde_json::from_slice(if bytes.is_empty() { b"{}" } else { bytes })
        .map_err(|error| {
            report.refuse(
                Reason::BodyMalformed,
                format!("the body is not JSON: {error}"),
            );
        })
        .ok()
}

/// The fields of a body; reports a body that is not an object. No body means no fields.
pub(crate) fn object_within<'a, 'b>(
    body: Option<&'a Json<'b>>,
    report: &mut Report,
) -> Option<&'a Fields<'b>> {
    let Some(body) = body else {
        return Some(const { &Fields::NONE });
    };
    let fields = body.fields();
    if fields.is_none() {
        report.refuse(Reason::BodyNotAnObject, "the body must be a JSON object");
    }
    fields
}

fn check_object<B: Body>(fields: &Fields<'_>, report: &mut Report) -> Option<B> {
    let mut body = None;
    let is_clean = check_fields(
        &mut |values, unread, broken| {
            let read = B::from_values(values, unread);
            read.validate(broken);
            body.get_or_insert(read);
        },
        fields,
        B::FIELDS,
        report,
    );
    body.filter(|_| is_clean)
}

/// Validates the fields of a body; returns whether there is no error.
pub(crate) fn check_fields(
    pass: BodyPass<'_>,
    fields: &Fields<'_>,
    known: &'static [&'static str],
    report: &mut Report,
) -> bool {
    let mut values = vec![None; known.len()];
    let are_known = fields.place(known, &mut values);
    let values = FieldValues::new(known, &values, None);
    let raw = RawInput::Body { fields, are_known };
    let mut pass = |unread: &mut Report, broken: &mut Report| pass(&values, unread, broken);
    read_and_validate(&mut pass, &raw, known, report)
}

/// Reads and validates a query from its raw text, without the question mark.
pub fn read_query<Q: Query>(text: &str, report: &mut Report) -> Option<Q> {
    read_pairs(&pairs_within(text, report)?, report)
}

fn pairs_within(text: &str, report: &mut Report) -> Option<Vec<(String, String)>> {
    serde_urlencoded::from_str(text)
        .map_err(|_| report.refuse(Reason::RequestMalformed, "the query string is malformed"))
        .ok()
}

/// Encodes the query, without the question mark.
pub(crate) fn query_text(pairs: &[(&'static str, String)]) -> String {
    serde_urlencoded::to_string(pairs).unwrap_or_default()
}

fn read_pairs<Q: Query>(pairs: &[(String, String)], report: &mut Report) -> Option<Q> {
    let mut query = None;
    let is_clean = check_pairs(
        &mut |unread, broken| {
            let read = Q::from_pairs(pairs, unread);
            read.validate(broken);
            query.get_or_insert(read);
        },
        pairs,
        Q::FIELDS,
        report,
    );
    query.filter(|_| is_clean)
}

/// Validates the parameters of a query; returns whether there is no error.
pub(crate) fn check_pairs(
    pass: Pass<'_>,
    pairs: &[(String, String)],
    known: &[&str],
    report: &mut Report,
) -> bool {
    read_and_validate(pass, &RawInput::Query(pairs), known, report)
}

/// Reads a body or query and validates it: reports unreadable fields to the first report, broken rules to the second.
pub(crate) type Pass<'a> = &'a mut dyn FnMut(&mut Report, &mut Report);

/// A [`Pass`] over the values of a body's fields.
pub(crate) type BodyPass<'a> = &'a mut dyn FnMut(&FieldValues<'_>, &mut Report, &mut Report);

/// The raw input, including unknown fields.
enum RawInput<'a> {
    Body {
        fields: &'a Fields<'a>,
        are_known: bool,
    },
    Query(&'a [(String, String)]),
}

impl RawInput<'_> {
    /// Reports unknown names.
    fn refuse_unknown(&self, known: &[&str], report: &mut Report) {
        match self {
            Self::Body {
                are_known: true, ..
            } => {}
            Self::Body { fields, .. } => {
                refuse_unknown(&mut fields.iter().map(|(name, _)| name), known, report);
            }
            Self::Query(pairs) => {
                let mut names = pairs.iter().map(|(name, _)| name.as_str());
                refuse_unknown(&mut names, known, report);
            }
        }
    }

    /// Reports NUL characters.
    fn refuse_nul(&self, report: &mut Report) {
        match self {
            Self::Body { fields, .. } => {
                for (name, value) in fields.iter() {
                    decode::refuse_nul(value, &At::field(name), report);
                }
            }
            Self::Query(pairs) => {
                for (name, text) in *pairs {
                    decode::refuse_nul_in(text, &At::field(name), report);
                }
            }
        }
    }
}

/// Reads and validates, even if some fields are unreadable. A rule counts as broken only if it fails with both the least and the
/// greatest stand-in for the unreadable fields. Returns whether there is no error.
fn read_and_validate(
    pass: Pass<'_>,
    whole: &RawInput<'_>,
    known: &[&str],
    report: &mut Report,
) -> bool {
    let [mut unread, mut broken] = [(); 2].map(|()| report.empty(StandIn::Least));
    pass(&mut unread, &mut broken);
    // If errors were dropped at the limit, those of rules are dropped too: a large body is not read twice for nothing.
    if !unread.is_clean() && !unread.has_more() && !report.is_verdict() {
        let [mut again, mut also_broken] = [(); 2].map(|()| report.empty(StandIn::Greatest));
        pass(&mut again, &mut also_broken);
        broken.keep_independent_errors(&unread, &also_broken);
    }
    unread.append(broken);
    whole.refuse_unknown(known, &mut unread);
    if !report.is_verdict() {
        whole.refuse_nul(&mut unread);
    }
    if unread.is_clean() {
        return true;
    }
    unread.sort_by_field(known);
    report.append(unread);
    false
}

/// No body, or no query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Nothing {}

impl Validate for Nothing {}

impl Body for Nothing {
    const FIELDS: &'static [&'static str] = &[];

    fn from_values(_: &FieldValues<'_>, _: &mut Report) -> Self {
        Self {}
    }

    fn to_bytes(&self) -> Option<Vec<u8>> {
        None
    }
}

impl Query for Nothing {
    const FIELDS: &'static [&'static str] = &[];

    fn from_pairs(_: &[(String, String)], _: &mut Report) -> Self {
        Self {}
    }

    fn to_pairs(&self, _: &mut Vec<(&'static str, String)>) {}
}

/// Serialised body without null fields.
pub(crate) fn without_nulls(body: &[u8]) -> Option<Vec<u8>> {
    let mut fields: Map<String, Value> = serde_json::from_slice(body).ok()?;
    fields.retain(|_, value| !value.is_null());
    serde_json::to_vec(&fields).ok()
}

/// Declares a body: a plain struct, read field by field.
///
/// Fields of type `Option` are optional; all others are required.
macro_rules! body {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $crate::field::Body for $name {
            const FIELDS: &'static [&'static str] = &[$($crate::decode::plain(stringify!($field))),*];

            fn from_values(
                values: &$crate::decode::FieldValues<'_>,
                report: &mut $crate::validate::Report,
            ) -> Self {
                $(
                    let index = const {
                        let name = $crate::decode::plain(stringify!($field));
                        $crate::decode::index_of(<Self as $crate::field::Body>::FIELDS, name)
                    };
                    let $field = values.read(index, report);
                )*
                Self { $($field,)* }
            }

            fn to_bytes(&self) -> Option<Vec<u8>> {
                $crate::field::without_nulls(&serde_json::to_vec(self).ok()?)
            }
        }
    };
}
pub(crate) use body;

/// Declares a query with rules between its parameters; `Validate` is implemented next to it.
macro_rules! query_fields {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? } names $names:expr) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $crate::field::Query for $name {
            const FIELDS: &'static [&'static str] = $names;

            fn from_pairs(pairs: &[(String, String)], report: &mut $crate::validate::Report) -> Self {
                $(let $field = <$type as $crate::field::QueryField>::read($crate::decode::plain(stringify!($field)), pairs, report);)*
                Self { $($field,)* }
            }

            fn to_pairs(&self, pairs: &mut Vec<(&'static str, String)>) {
                $($crate::field::QueryField::write(&self.$field, $crate::decode::plain(stringify!($field)), pairs);)*
            }
        }

    };
}
pub(crate) use query_fields;

/// Declares a query without rules of its own: a plain struct of optional parameters and parameter groups.
macro_rules! query {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? } names $names:expr) => {
        $crate::field::query_fields! {
            $(#[$meta])* #[derive(Default)] $name { $($(#[$field_meta])* $field: $type,)* } names $names
        }

        impl $crate::validate::Validate for $name {
            fn validate(&self, report: &mut $crate::validate::Report) {
                $($crate::field::QueryField::check(&self.$field, report);)*
            }
        }
    };
}
pub(crate) use query;
