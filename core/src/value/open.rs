//! Extensible enumerations, and the wire form of text values.

use std::fmt;

use serde::Deserializer;
use serde::de::{Error, Visitor};

use crate::error::Reason;

/// Deserialises a text value; an error message starts with its stable reason.
pub(crate) fn text_wire<'de, D, T, F>(
    deserializer: D,
    expected: &'static str,
    parse: F,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    F: FnOnce(&str) -> Result<T, (Reason, String)>,
{
    struct Text<F>(&'static str, F);
    impl<T, F: FnOnce(&str) -> Result<T, (Reason, String)>> Visitor<'_> for Text<F> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            (self.1)(text).map_err(|(reason, message)| {
                E::custom(format_args!("{}: {message}", reason.as_str()))
            })
        }
    }
    deserializer.deserialize_str(Text(expected, parse))
}

/// The wire form of a type with `Display` and `Param`: its text.
macro_rules! text_form {
    ($type:ty, $expected:expr) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::value::open::text_wire(
                    deserializer,
                    $expected,
                    $crate::value::Param::from_text,
                )
            }
        }
    };
}
pub(crate) use text_form;

/// The JSON Schema of a type that does not derive one; `inline` for one without a component of its own.
macro_rules! schema {
    ($type:ident, $(inline: $inline:literal,)? { $($schema:tt)* }) => {
        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            $(fn inline_schema() -> bool {
                $inline
            })?

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ $($schema)* })
            }
        }
    };
}
pub(crate) use schema;

/// Wire form of a variant: its name, or the given literal.
macro_rules! wire_word {
    ($variant:ident) => {
        stringify!($variant)
    };
    ($variant:ident, $wire:literal) => {
        $wire
    };
}
pub(crate) use wire_word;

/// An extensible enumeration: the known values, or `Other` with the text as received.
///
/// Reading accepts unknown values; filters of a request reject them.
macro_rules! open_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident $(= $wire:literal)?),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_meta])* #[allow(missing_docs, reason = "the contract's value names say it")] $variant,)+
            /// A value unknown to this version, as received.
            Other(String),
        }

        impl $name {
            /// Known values in wire form.
            pub const KNOWN: &'static [&'static str] = &[$($crate::value::open::wire_word!($variant $(, $wire)?)),+];

            /// Wire form.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $crate::value::open::wire_word!($variant $(, $wire)?),)+
                    Self::Other(text) => text,
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                $(if text == $crate::value::open::wire_word!($variant $(, $wire)?) {
                    return Self::$variant;
                })+
                Self::Other(text.to_owned())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::value::open::text_wire(deserializer, "text", |text| Ok(Self::from(text)))
            }
        }

        impl $crate::value::Param for $name {
            fn from_text(text: &str) -> Result<Self, ($crate::error::Reason, String)> {
                match Self::from(text) {
                    Self::Other(_) => Err(($crate::error::Reason::UnknownValue, format!("must be one of {}", Self::KNOWN.join(", ")))),
                    known => Ok(known),
                }
            }

            fn to_text(&self) -> String {
                self.as_str().to_owned()
            }

            fn stand_in(_: &str, which: $crate::validate::StandIn) -> Self {
                match which {
                    $crate::validate::StandIn::Least => Self::Other(String::new()),
                    $crate::validate::StandIn::Greatest => Self::from(Self::KNOWN[0]),
                }
            }
        }

        $crate::decode::decode_as!(text: $name);

        $crate::value::open::schema!($name, {
            "type": "string",
            "description": "Open: new values may appear.",
            "examples": Self::KNOWN,
            "x-open-enum": Self::KNOWN
        });
    };
}
pub(crate) use open_enum;
