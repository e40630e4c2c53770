//! Identifiers, alphabetical by prefix.
//!
//! A prefixed id is a prefix and a UUID of 32 hex digits, which a double click selects as a whole. Where the contract accepts raw
//! UUIDs in paths (customers, subscriptions), the parser does too.
//!
//! The contract leaves the form of most ids to the service. Records are therefore read with the ids of any service, and clients
//! send those back unchanged. The service itself accepts its own form only.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use crate::error::Reason;
use crate::value::Timestamp;

/// Largest integer id: 2^53 - 1, which every JSON parser reads exactly.
pub const INTEGER_ID_MAX: i64 = (1 << 53) - 1;

/// A type of prefixed ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prefixed {
    /// Name of the type.
    pub name: &'static str,
    /// Prefix; a merchant-defined reference must not start with one.
    pub prefix: &'static str,
    /// Whether a UUID without the prefix is accepted too.
    accepts_raw: bool,
    expected: &'static str,
}

/// All types of prefixed ids.
pub const PREFIXED: [Prefixed; 16] = [
    CustomerId::TYPE,
    EventId::TYPE,
    InvoiceId::TYPE,
    ApiKeyId::TYPE,
    NoteId::TYPE,
    OrganisationId::TYPE,
    OrderId::TYPE,
    PaymentId::TYPE,
    PaylinkId::TYPE,
    PlanId::TYPE,
    QuoteId::TYPE,
    ReplayId::TYPE,
    SubscriptionItemId::TYPE,
    SubscriptionId::TYPE,
    SavedViewId::TYPE,
    UserId::TYPE,
];

/// Names of all types of integer ids.
pub const INTEGER: [&str; 9] = [
    "AccountId",
    "AutomationId",
    "ChainId",
    "ExternalAccountId",
    "InstrumentId",
    "MovementId",
    "RuleId",
    "TransactionId",
    "VenueId",
];

/// Why a text is not an id of the expected type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdError {
    expected: &'static str,
}

impl IdError {
    /// The [`Reason`] reported for this error.
    pub const fn reason(&self) -> Reason {
        Reason::IdMalformed
    }
}

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be {}", self.expected)
    }
}

impl std::error::Error for IdError {}

/// A UUIDv7 (RFC 9562) from the host's time and random bytes.
pub(crate) fn uuid_v7(now: Timestamp, random: [u8; 10]) -> Uuid {
    uuid::Builder::from_unix_timestamp_millis(u64::try_from(now.millis()).unwrap_or(0), &random)
        .into_uuid()
}

/// Whether a text as a segment of a path names a folder (RFC 3986, section 5.2.4): clients and proxies remove it from a URL, and the
/// request goes to another path.
pub(crate) fn is_dot_segment(text: &str) -> bool {
    matches!(text, "." | "..")
}

/// Text of a prefixed id, stored inline to avoid an allocation per statement and answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdText {
    /// Zero beyond the length, so that ids compare like their texts.
    bytes: [u8; ID_TEXT_MAX],
    length: u8,
}

/// Maximum length of an id, in bytes; those of other services are mostly UUIDs with a prefix.
pub const ID_TEXT_MAX: usize = 47;

impl IdText {
    /// The text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }

    /// An id of another service: printable ASCII of limited length.
    fn foreign(text: &str) -> Option<Self> {
        let is_printable = text.bytes().all(|byte| byte.is_ascii_graphic());
        let fits = !text.is_empty() && text.len() <= ID_TEXT_MAX;
        (fits && is_printable && !is_dot_segment(text)).then(|| {
            let mut bytes = [0; ID_TEXT_MAX];
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            let length = text.len() as u8;
            Self { bytes, length }
        })
    }
}

impl fmt::Debug for IdText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

// Functions of a value, not of a type: the npm package's wasm holds every id.
impl Prefixed {
    fn parse(&self, text: &str) -> Result<Uuid, IdError> {
        let uuid = match text.strip_prefix(self.prefix) {
            Some(rest) => Some(rest),
            None => self.accepts_raw.then_some(text),
        };
        let parsed = uuid.and_then(|uuid| Uuid::try_parse(uuid).ok());
        parsed.ok_or(IdError {
            expected: self.expected,
        })
    }

    fn text(&self, uuid: Uuid) -> IdText {
        let mut bytes = [0; ID_TEXT_MAX];
        let (prefix, digits) = bytes.split_at_mut(self.prefix.len());
        prefix.copy_from_slice(self.prefix.as_bytes());
        let length = self.prefix.len() + uuid.simple().encode_lower(digits).len();
        let length = length as u8;
        IdText { bytes, length }
    }

    /// Canonical form of an id.
    ///
    /// # Errors
    /// [`IdError`] if the text is not an id of this type.
    pub fn canonical(&self, text: &str) -> Result<IdText, IdError> {
        self.parse(text).map(|uuid| self.text(uuid))
    }
}

/// Parses an integer id of any type.
///
/// # Errors
/// [`IdError`] if the text is not an integer from 1 to 2^53 - 1.
pub fn parse_integer(text: &str) -> Result<i64, IdError> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let id = is_plain.then(|| text.parse().ok()).flatten();
    id.filter(|id| (1..=INTEGER_ID_MAX).contains(id))
        .ok_or(IdError {
            expected: "an integer id, 1 or more",
        })
}

macro_rules! prefixed_id {
    ($(#[$meta:meta])* $name:ident, $prefix:literal, raw: $raw:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(IdText);

        impl $name {
            /// Prefix of this id type.
            pub const PREFIX: &'static str = $prefix;

            const TYPE: Prefixed = Prefixed {
                name: stringify!($name),
                prefix: $prefix,
                accepts_raw: $raw,
                expected: concat!("an id of the form ", $prefix, "…"),
            };

            /// Creates an id from the host's time and random bytes.
            pub fn new(now: Timestamp, random: [u8; 10]) -> Self {
                Self(Self::TYPE.text(uuid_v7(now, random)))
            }

            /// The id of any service that speaks the contract, as written. [`FromStr`] accepts Settlekit's form only.
            ///
            /// # Errors
            /// [`IdError`] if the text is empty, longer than [`ID_TEXT_MAX`], or not printable ASCII.
            pub fn of_any_service(text: &str) -> Result<Self, IdError> {
                let expected = "an id of printable characters";
                IdText::foreign(text).map(Self).ok_or(IdError { expected })
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::TYPE.canonical(text).map(Self)
            }
        }

        impl From<$name> for IdText {
            fn from(id: $name) -> Self {
                const { assert!($prefix.len() + uuid::fmt::Simple::LENGTH <= ID_TEXT_MAX) };
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.0.as_str())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.0.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::value::open::text_wire(deserializer, "an id", |text| {
                    Self::of_any_service(text).map_err(|error| (error.reason(), error.to_string()))
                })
            }
        }

        impl crate::value::Param for $name {
            fn from_text(text: &str) -> Result<Self, (Reason, String)> {
                text.parse().map_err(|error: IdError| (error.reason(), error.to_string()))
            }

            fn foreign(text: &str) -> Option<Self> {
                IdText::foreign(text).map(Self)
            }

            fn to_text(&self) -> String {
                self.to_string()
            }

            fn stand_in(_: &str, which: crate::validate::StandIn) -> Self {
                Self(Self::TYPE.text(match which {
                    crate::validate::StandIn::Least => Uuid::nil(),
                    crate::validate::StandIn::Greatest => Uuid::max(),
                }))
            }
        }
        crate::decode::decode_as!(text: $name);

        crate::value::open::schema!($name, {
            "type": "string",
            "description": concat!("An id that begins with ", $prefix, "."),
            "examples": [concat!($prefix, "019aa0b5c3f07c0d9f2e3b6a7d8c9e01")]
        });
    };
}

macro_rules! integer_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(i64);

        impl $name {
            /// The id, if between 1 and 2^53 - 1.
            pub const fn new(id: i64) -> Option<Self> {
                if id >= 1 && id <= INTEGER_ID_MAX { Some(Self(id)) } else { None }
            }

            /// The value.
            pub const fn get(self) -> i64 {
                self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                parse_integer(text).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_i64(self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let id = i64::deserialize(deserializer)?;
                Self::new(id).ok_or_else(|| serde::de::Error::custom("ID_MALFORMED: must be an integer id, 1 or more"))
            }
        }

        crate::value::param::param_by_text!($name: Self(1), Self(INTEGER_ID_MAX));
        crate::decode::decode_as!(whole_number: $name);

        crate::value::open::schema!($name, {
            "type": "integer", "minimum": 1, "description": "An integer id.", "examples": [7]
        });
    };
}

prefixed_id! {
    /// A customer; a raw UUID is accepted too (contract, "Identifier forms").
    CustomerId, "cus_", raw: true
}
prefixed_id! {
    /// An event of the organisation's log; also the `webhook-id` of its deliveries.
    EventId, "evt_", raw: false
}
prefixed_id! {
    /// An invoice.
    InvoiceId, "inv_", raw: false
}
prefixed_id! {
    /// An API key as listed; not the secret itself.
    ApiKeyId, "key_", raw: false
}
prefixed_id! {
    /// A note of a member on a record.
    NoteId, "note_", raw: false
}
prefixed_id! {
    /// A merchant organisation, partner or sub-merchant.
    OrganisationId, "org_", raw: false
}
prefixed_id! {
    /// An order, created by accepting a quote.
    OrderId, "ord_", raw: false
}
prefixed_id! {
    /// A payment.
    PaymentId, "pay_", raw: false
}
prefixed_id! {
    /// A payment link.
    PaylinkId, "pl_", raw: false
}
prefixed_id! {
    /// A billing plan.
    PlanId, "plan_", raw: false
}
prefixed_id! {
    /// A quote.
    QuoteId, "quo_", raw: false
}
prefixed_id! {
    /// A replay of events.
    ReplayId, "rpl_", raw: false
}
prefixed_id! {
    /// A plan of a subscription.
    SubscriptionItemId, "si_", raw: false
}
prefixed_id! {
    /// A subscription; a raw UUID is accepted too (contract, "Identifier forms").
    SubscriptionId, "sub_", raw: true
}
prefixed_id! {
    /// A saved view of the dashboard.
    SavedViewId, "sv_", raw: false
}
prefixed_id! {
    /// A dashboard user.
    UserId, "usr_", raw: false
}
integer_id! {
    /// A settlement or virtual account.
    AccountId
}
integer_id! {
    /// An automation of an account.
    AutomationId
}
integer_id! {
    /// A chain.
    ChainId
}
integer_id! {
    /// A payout destination.
    ExternalAccountId
}
integer_id! {
    /// A pair traded on a venue.
    InstrumentId
}
integer_id! {
    /// A movement of an account's ledger.
    MovementId
}
integer_id! {
    /// The rule of an automation.
    RuleId
}
integer_id! {
    /// A transaction of a hot wallet.
    TransactionId
}
integer_id! {
    /// A trading venue.
    VenueId
}
