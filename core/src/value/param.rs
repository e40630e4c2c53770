//! Values that stand in a path or a query as text.

use crate::error::Reason;

/// A value that can be written into a path or query and read back.
pub trait Param: Sized {
    /// Reads the value.
    ///
    /// # Errors
    /// The reason, and what the text must be instead.
    fn from_text(text: &str) -> Result<Self, (Reason, String)>;

    /// The text that [`Param::from_text`] reads back as this value.
    fn to_text(&self) -> String;
}

/// `Param` for types whose parse error names its own reason.
macro_rules! param_by_text {
    ($($type:ty),*) => {$(
        impl $crate::value::Param for $type {
            fn from_text(text: &str) -> Result<Self, ($crate::error::Reason, String)> {
                text.parse().map_err(|error: <$type as std::str::FromStr>::Err| (error.reason(), error.to_string()))
            }

            fn to_text(&self) -> String {
                self.to_string()
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
}

impl Param for i64 {
    fn from_text(text: &str) -> Result<Self, (Reason, String)> {
        text.parse()
            .map_err(|_| (Reason::WrongType, "must be a whole number".into()))
    }

    fn to_text(&self) -> String {
        self.to_string()
    }
}
