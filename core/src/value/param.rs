//! Values that stand in a path or a query as text.

use crate::error::Reason;
use crate::validate::StandIn;

/// A value that can be written into a path or query and read back.
pub trait Param: Sized {
    /// Reads the value.
    ///
    /// # Errors
    /// The reason, and what the text must be instead.
    fn from_text(text: &str) -> Result<Self, (Reason, String)>;

    /// The text that [`Param::from_text`] reads back as this value.
    fn to_text(&self) -> String;

    /// A value in the place of one that `text` does not name.
    fn stand_in(text: &str, which: StandIn) -> Self;
}

/// `Param` for types whose parse error names its own reason, each with its least and its greatest value.
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

/// The most entries of a list in a query: more than any list of the contract has.
const ENTRIES_MAX: usize = 100;

fn entries(text: &str) -> Result<std::str::Split<'_, char>, (Reason, String)> {
    if text.is_empty() {
        return Err((Reason::Empty, "must not be empty".into()));
    }
    if text.matches(',').count() >= ENTRIES_MAX {
        return Err((
            Reason::TooLong,
            format!("must have at most {ENTRIES_MAX} entries"),
        ));
    }
    Ok(text.split(','))
}

fn joined(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(",")
}

/// A list, its entries separated by commas.
impl<T: Param> Param for Vec<T> {
    fn from_text(text: &str) -> Result<Self, (Reason, String)> {
        entries(text)?.map(T::from_text).collect()
    }

    fn to_text(&self) -> String {
        joined(self.iter().map(T::to_text))
    }

    fn stand_in(text: &str, which: StandIn) -> Self {
        let read = |text| T::from_text(text).unwrap_or_else(|_| T::stand_in(text, which));
        // Nobody knows how many are missing.
        let known = which == StandIn::Greatest || !text.is_empty();
        let entries = text.split(',').take(if known { ENTRIES_MAX } else { 0 });
        entries.map(read).collect()
    }
}

/// A list, its entries separated by commas, of which some may be empty.
impl<T: Param> Param for Vec<Option<T>> {
    fn from_text(text: &str) -> Result<Self, (Reason, String)> {
        let read = |text: &str| match text {
            "" => Ok(None),
            text => T::from_text(text).map(Some),
        };
        entries(text)?.map(read).collect()
    }

    fn to_text(&self) -> String {
        let write = |entry: &Option<T>| entry.as_ref().map(T::to_text).unwrap_or_default();
        joined(self.iter().map(write))
    }

    fn stand_in(text: &str, which: StandIn) -> Self {
        let read = |text| match text {
            "" => None,
            text => Some(T::from_text(text).unwrap_or_else(|_| T::stand_in(text, which))),
        };
        text.split(',').take(ENTRIES_MAX).map(read).collect()
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
