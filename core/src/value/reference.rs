//! Merchant-defined references, currency symbols, and account keys (id or reference).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::Reason;
use crate::validate::StandIn;
use crate::value::id::{PREFIXED, is_dot_segment};
use crate::value::{AccountId, Param};

/// Maximum length of a reference, in characters.
pub const REFERENCE_CHARS_MAX: usize = 128;

/// Words with a fixed meaning in a path segment that can also be a reference; a test compares them with the catalogue.
pub const RESERVED: &[&str] = &["external", "external-account", "id", "virtual"];

/// Why a text is not a reference or a currency symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceError {
    /// Empty, longer than 128 characters, or with surrounding white space, a control character or a slash.
    Malformed,
    /// `.` or `..`, which in a path name a folder.
    DotSegment,
    /// All digits, or with the prefix of an id.
    LooksLikeId,
    /// A reserved word in paths.
    Reserved,
    /// Not 2 to 12 letters and digits, starting with a letter.
    NotACurrency,
}

impl ReferenceError {
    /// The [`Reason`] reported for this error.
    pub const fn reason(self) -> Reason {
        match self {
            Self::Malformed | Self::DotSegment => Reason::ReferenceMalformed,
            Self::LooksLikeId => Reason::ReferenceLooksLikeId,
            Self::Reserved => Reason::ReferenceReserved,
            Self::NotACurrency => Reason::CurrencyMalformed,
        }
    }
}

impl fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "must be 1 to 128 visible characters without a slash",
            Self::DotSegment => "must not be `.` or `..`",
            Self::LooksLikeId => "must not look like an id",
            Self::Reserved => "is a reserved word",
            Self::NotACurrency => "must be a currency symbol of 2 to 12 letters or digits",
        })
    }
}

impl std::error::Error for ReferenceError {}

macro_rules! text_value {
    ($name:ident, $expected:literal, $example:literal) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::value::open::text_wire(deserializer, $expected, Param::from_text)
            }
        }

        crate::value::param::param_by_text!($name: Self(StandIn::Least.text()), Self(StandIn::Greatest.text()));
        crate::decode::decode_as!(text: $name);
        crate::value::open::schema!($name, {
            "type": "string", "format": "text", "description": $expected, "examples": [$example]
        });
    };
}

/// Merchant-defined reference of an account; bundles one account per chain (contract, "Account").
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountReference(String);

impl FromStr for AccountReference {
    type Err = ReferenceError;

    fn from_str(text: &str) -> Result<Self, ReferenceError> {
        let visible = !text.chars().any(|char| char.is_control() || char == '/');
        if text.is_empty()
            || text.trim() != text
            || !visible
            || text.chars().count() > REFERENCE_CHARS_MAX
        {
            return Err(ReferenceError::Malformed);
        }
        if is_dot_segment(text) {
            return Err(ReferenceError::DotSegment);
        }
        let id = text.bytes().all(|byte| byte.is_ascii_digit())
            || PREFIXED.iter().any(|id| text.starts_with(id.prefix));
        if id {
            return Err(ReferenceError::LooksLikeId);
        }
        if RESERVED.contains(&text) {
            return Err(ReferenceError::Reserved);
        }
        Ok(Self(text.to_owned()))
    }
}

text_value!(AccountReference, "An account reference.", "shop-eu");

/// A currency or asset symbol such as `USDC`, stored as written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency(String);

impl FromStr for Currency {
    type Err = ReferenceError;

    fn from_str(text: &str) -> Result<Self, ReferenceError> {
        let shaped = (2..=12).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && text
                .bytes()
                .next()
                .is_some_and(|byte| byte.is_ascii_alphabetic());
        if shaped {
            Ok(Self(text.to_owned()))
        } else {
            Err(ReferenceError::NotACurrency)
        }
    }
}

text_value!(Currency, "A currency symbol.", "USDC");

/// An account in a path: its integer id or its reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountKey {
    /// By id: all digits.
    Id(AccountId),
    /// By reference.
    Reference(AccountReference),
}

impl Param for AccountKey {
    fn from_text(text: &str) -> Result<Self, (Reason, String)> {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            AccountId::from_text(text).map(Self::Id)
        } else {
            AccountReference::from_text(text).map(Self::Reference)
        }
    }

    fn to_text(&self) -> String {
        match self {
            Self::Id(id) => id.to_text(),
            Self::Reference(reference) => reference.to_text(),
        }
    }

    fn stand_in(text: &str, which: StandIn) -> Self {
        Self::Reference(Param::stand_in(text, which))
    }
}

impl crate::decode::Decode for AccountKey {
    fn decode(
        value: &crate::json::Json<'_>,
        at: &crate::decode::At<'_>,
        report: &mut crate::validate::Report,
    ) -> Self {
        match value {
            crate::json::Json::Number(_) => crate::decode::whole_number(value, at, report),
            _ => crate::decode::text(value, at, report),
        }
    }

    fn stand_in(which: StandIn) -> Self {
        Param::stand_in("", which)
    }
}

impl fmt::Display for AccountKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Param::to_text(self))
    }
}

impl Serialize for AccountKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Id(id) => id.serialize(serializer),
            Self::Reference(reference) => reference.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for AccountKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => Self::from_text(&text),
            serde_json::Value::Number(id) => AccountId::from_text(&id.to_string()).map(Self::Id),
            _ => Err((
                Reason::WrongType,
                "must be an account id or reference".into(),
            )),
        };
        key.map_err(|(reason, message)| {
            serde::de::Error::custom(format_args!("{}: {message}", reason.as_str()))
        })
    }
}

crate::value::open::schema!(AccountKey, {
    "type": ["string", "integer"], "description": "An account's integer id, or its reference.", "examples": ["shop-eu"]
});
