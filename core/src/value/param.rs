//! Values in paths and queries.

use crate::decode::At;
use crate::error::Reason;
use crate::validate::{Report, StandIn};

/// A value with a text form for paths and queries.
pub trait Param: Sized {
    /// Parses the value.
    ///
    /// # Errors
    /// The reason, and the required form.
    fn from_text(text: &str) -> Result<Self, (Reason, String)>;

    /// The value as another service may write it: its ids have forms of their own, and are not changed.
    fn foreign(_text: &str) -> Option<Self> {
        None
    }

    /// Text that [`Param::from_text`] parses back to this value.
    fn to_text(&self) -> String;

    /// Stand-in for a value that can't be parsed from `text`.
    fn stand_in(text: &str, which: StandIn) -> Self;
}

/// `Param` for types whose parse error has a reason, each with its minimum and maximum.
macro_rules! param_by_text {
    ($($type:ty: $least:expr, $greatest:expr);* $(;)?) => {$(
        impl $crate::value::Param for $type {
            fn from_text(text: &str) -> Result<Self, ($crate::error::Reason, String)> {
                text.parse().map_err(|error: <$type as std::str::FromStr>::Err| (error.reason(), error.to_string()))
            }

            fn to_text(&self) -> String {
                self.to_string()
            }

            fn stand_in(_: &str, which: $crate::validate::StandIn) -> Self {
                match which {
                    $crate::validate::StandIn::Least => $least,
                    $crate::validate::StandIn::Greatest => $greatest,
                }
            }
        }
    )*};
}
pub(crate) use param_by_text;

impl Param for String {
    fn from_text(text: &str) -> Result<Self, (Reason, String)> {
        if text.is_empty() {
            Err((Reason::Empty, "must not be empty".into()))
        } else {
            Ok(text.into())
        }
    }

    fn to_text(&self) -> String {
        self.clone()
    }

    fn stand_in(_: &str, which: StandIn) -> Self {
        which.text()
    }
}

/// Value of a query parameter: a [`Param`] or a comma-separated list.
pub trait QueryValue: Sized {
    /// Reads the value; reports each unreadable entry and replaces it by a stand-in.
    fn read(text: &str, at: &At<'_>, report: &mut Report) -> Self;

    /// Text that [`QueryValue::read`] parses back to this value.
    fn write(&self) -> String;

    /// Stand-in for a missing value.
    fn missing(which: StandIn) -> Self;
}

impl<T: Param> QueryValue for T {
    fn read(text: &str, at: &At<'_>, report: &mut Report) -> Self {
        if let Some(value) = report.foreign(text) {
            return value;
        }
        T::from_text(text).unwrap_or_else(|(reason, message)| {
            at.add_error(reason, message, report);
            T::stand_in(text, report.stand_in())
        })
    }

    fn write(&self) -> String {
        self.to_text()
    }

    fn missing(which: StandIn) -> Self {
        T::stand_in("", which)
    }
}

/// Maximum number of list entries in a query; no list of the contract needs more.
const ENTRIES_MAX: usize = 100;

/// Reads a list entry by entry; reports an empty list and one with too many entries.
fn read_list<E>(
    text: &str,
    at: &At<'_>,
    report: &mut Report,
    read: impl Fn(&str, &At<'_>, &mut Report) -> E,
) -> Option<Vec<E>> {
    if text.is_empty() {
        at.add_error(Reason::Empty, "must not be empty", report);
        return None;
    }
    if text.matches(',').count() >= ENTRIES_MAX {
        let message = format!("must have at most {ENTRIES_MAX} entries");
        at.add_error(Reason::TooLong, message, report);
    }
    let entries = text.split(',').take(ENTRIES_MAX).enumerate();
    let entries = entries.map(|(place, entry)| read(entry, &at.place(place), report));
    Some(entries.collect())
}

fn joined(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(",")
}

/// A comma-separated list.
impl<T: Param> QueryValue for Vec<T> {
    fn read(text: &str, at: &At<'_>, report: &mut Report) -> Self {
        let list = read_list(text, at, report, T::read);
        list.unwrap_or_else(|| Self::missing(report.stand_in()))
    }

    fn write(&self) -> String {
        joined(self.iter().map(T::to_text))
    }

    fn missing(which: StandIn) -> Self {
        // The number of missing entries is unknown.
        match which {
            StandIn::Least => Self::new(),
            StandIn::Greatest => vec![T::stand_in("", which)],
        }
    }
}

/// A comma-separated list with optional entries.
impl<T: Param> QueryValue for Vec<Option<T>> {
    fn read(text: &str, at: &At<'_>, report: &mut Report) -> Self {
        let read = |entry: &str, at: &At<'_>, report: &mut Report| {
            (!entry.is_empty()).then(|| T::read(entry, at, report))
        };
        read_list(text, at, report, read).unwrap_or_default()
    }

    fn write(&self) -> String {
        let write = |entry: &Option<T>| entry.as_ref().map(T::to_text).unwrap_or_default();
        joined(self.iter().map(write))
    }

    fn missing(_: StandIn) -> Self {
        Self::new()
    }
}

impl Param for bool {
    fn from_text(text: &str) -> Result<Self, (Reason, String)> {
        match text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err((Reason::WrongType, "must be true or false".into())),
        }
    }

    fn to_text(&self) -> String {
        self.to_string()
    }

    fn stand_in(_: &str, which: StandIn) -> Self {
        which == StandIn::Greatest
    }
}

impl Param for i64 {
    fn from_text(text: &str) -> Result<Self, (Reason, String)> {
        text.parse()
            .map_err(|_| (Reason::WrongType, "must be a whole number".into()))
    }

    fn to_text(&self) -> String {
        self.to_string()
    }

    fn stand_in(_: &str, which: StandIn) -> Self {
        match which {
            StandIn::Least => Self::MIN,
            StandIn::Greatest => Self::MAX,
        }
    }
}
