//! JSON values that borrow their texts, from a JSON text or from serde_json's tree.
//!
//! Bodies and arguments are decoded from these: most of their texts are read once and not kept.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json<'a> {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number, as written.
    Number(Cow<'a, str>),
    /// A string.
    Text(Cow<'a, str>),
    /// An array.
    List(Vec<Json<'a>>),
    /// An object.
    Object(Fields<'a>),
}

/// The fields of a JSON object, in the order of its text. Of fields with the same name the last one counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields<'a>(Vec<(Cow<'a, str>, Json<'a>)>);

impl<'a> Fields<'a> {
    /// No fields.
    pub const NONE: Self = Self(Vec::new());

    /// No fields, with memory for this many.
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Vec::with_capacity(capacity))
    }

    /// Appends a field.
    #[inline]
    pub fn push(&mut self, name: Cow<'a, str>, value: Json<'a>) {
        self.0.push((name, value));
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&Json<'a>> {
        let found = self.0.iter().rfind(|(other, _)| is(other, name));
        found.map(|(_, value)| value)
    }

    /// Whether there are no fields.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts the value of each named field into its slot, in the order of `names`; returns whether there is no other field.
    pub(crate) fn place<'b>(&'b self, names: &[&str], slots: &mut [Option<&'b Json<'a>>]) -> bool {
        let mut are_known = true;
        // Fields mostly come in the order of the names: the next one is looked for first.
        let mut next = 0;
        for (name, value) in &self.0 {
            let (before, after) = names.split_at(next);
            let index = match after.iter().position(|other| is(name, other)) {
                Some(index) => Some(next + index),
                None => before.iter().position(|other| is(name, other)),
            };
            match index.and_then(|index| Some((index, slots.get_mut(index)?))) {
                Some((index, slot)) => {
                    *slot = Some(value);
                    next = index + 1;
                }
                None => are_known = false,
            }
        }
        are_known
    }

    /// The value of a field, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Json<'a>> {
        let found = self.0.iter_mut().rfind(|(other, _)| is(other, name));
        found.map(|(_, value)| value)
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json<'a>)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    /// Sorts the fields by name, also within their values. Of fields with the same name the last one remains.
    pub(crate) fn sort(&mut self) {
        let mut sorted = BTreeMap::new();
        // Collecting would link a sort into the npm package.
        for (name, mut value) in self.0.drain(..) {
            value.sort();
            sorted.insert(name, value);
        }
        self.0.extend(sorted);
    }

    /// serde_json's map, sorted by name.
    pub fn to_map(&self) -> Map<String, Value> {
        let mut map = Map::new();
        // Collecting would link a sort into the npm package.
        for (name, value) in self.iter() {
            map.insert(name.to_owned(), value.to_value());
        }
        map
    }
}

/// Whether a name is this one. Most differ in length, and need no call in wasm.
#[inline(always)]
#[allow(clippy::ptr_arg, reason = "dereferencing a `Cow` is a call in wasm")]
fn is(name: &Cow<'_, str>, other: &str) -> bool {
    let name = match name {
        Cow::Borrowed(name) => name,
        Cow::Owned(name) => name.as_str(),
    };
    name.len() == other.len() && name == other
}

impl<'a> IntoIterator for Fields<'a> {
    type Item = (Cow<'a, str>, Json<'a>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> From<&'a Map<String, Value>> for Fields<'a> {
    fn from(fields: &'a Map<String, Value>) -> Self {
        let fields = fields.iter();
        Self(
            fields
                .map(|(name, value)| (Cow::Borrowed(name.as_str()), value.into()))
                .collect(),
        )
    }
}

impl<'a> Json<'a> {
    /// The fields of an object; none for another value.
    pub const fn fields(&self) -> Option<&Fields<'a>> {
        match self {
            Self::Object(fields) => Some(fields),
            _ => None,
        }
    }

    /// The text of a string; none for another value.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Sorts the fields of every object by name.
    pub(crate) fn sort(&mut self) {
        match self {
            Self::Object(fields) => fields.sort(),
            Self::List(entries) => entries.iter_mut().for_each(Self::sort),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) => {}
        }
    }

    /// serde_json's tree, in which the fields of an object are sorted by name.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(given) => Value::Bool(*given),
            // The text is a valid number. Parsing it would link a second JSON parser into the npm package.
            Self::Number(digits) => {
                Value::Number(Number::from_string_unchecked(digits.clone().into_owned()))
            }
            Self::Text(text) => Value::String(text.clone().into_owned()),
            Self::List(entries) => entries.iter().map(Json::to_value).collect(),
            Self::Object(fields) => Value::Object(fields.to_map()),
        }
    }
}

impl<'a> From<&'a Value> for Json<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(given) => Self::Bool(*given),
            Value::Number(number) => Self::Number(Cow::Borrowed(number.as_str())),
            Value::String(text) => Self::Text(Cow::Borrowed(text)),
            Value::Array(entries) => Self::List(entries.iter().map(Json::from).collect()),
            Value::Object(fields) => Self::Object(fields.into()),
        }
    }
}
