//! Identifiers, alphabetical by prefix.
//!
//! A prefixed id is a prefix and a UUID of 32 hex digits, which a double click selects as a whole. Where the contract accepts raw
//! UUIDs in paths (customers, subscriptions), the parser does too.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use crate::error::Reason;
use crate::value::Timestamp;

/// Largest integer id: 2^53 - 1, which every JSON parser reads exactly.
pub const INTEGER_ID_MAX: i64 = (1 << 53) - 1;

/// All prefixes in use; a merchant-defined reference must not start with one.
pub const PREFIXES: &[&str] = &[
    CustomerId::PREFIX,
    EventId::PREFIX,
    InvoiceId::PREFIX,
    ApiKeyId::PREFIX,
    OrganisationId::PREFIX,
    OrderId::PREFIX,
    PaymentId::PREFIX,
    PaylinkId::PREFIX,
    PlanId::PREFIX,
    QuoteId::PREFIX,
    ReplayId::PREFIX,
    SubscriptionItemId::PREFIX,
    SubscriptionId::PREFIX,
    UserId::PREFIX,
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

/// Text of a prefixed id, stored inline to avoid an allocation per statement and answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdText {
    bytes: [u8; ID_TEXT_MAX],
    length: usize,
}

const ID_TEXT_MAX: usize = 40;

impl IdText {
    /// The text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

macro_rules! prefixed_id {
    ($(#[$meta:meta])* $name:ident, $prefix:literal, raw: $raw:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// Prefix of this id type.
            pub const PREFIX: &'static str = $prefix;

            /// Creates an id from the host's time and random bytes.
            pub fn new(now: Timestamp, random: [u8; 10]) -> Self {
                Self(uuid_v7(now, random))
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let error = IdError { expected: concat!("an id of the form ", $prefix, "…") };
                let uuid = match text.strip_prefix($prefix) {
                    Some(rest) => rest,
                    None if $raw => text,
                    None => return Err(error),
                };
                Uuid::try_parse(uuid).map(Self).map_err(|_| error)
            }
        }

        impl From<$name> for IdText {
            fn from(id: $name) -> Self {
                const LENGTH: usize = $prefix.len() + uuid::fmt::Simple::LENGTH;
                const { assert!(LENGTH <= ID_TEXT_MAX) };
                let mut bytes = [0; ID_TEXT_MAX];
                let (prefix, digits) = bytes.split_at_mut($prefix.len());
                prefix.copy_from_slice($prefix.as_bytes());
                id.0.simple().encode_lower(digits);
                Self { bytes, length: LENGTH }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(IdText::from(*self).as_str())
            }
        }

        crate::value::open::text_form!($name, concat!("an id of the form ", $prefix, "…"));
        crate::value::param::param_by_text!($name: Self(Uuid::nil()), Self(Uuid::max()));
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
                let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                text.parse()
                    .ok()
                    .filter(|_| digits)
                    .and_then(Self::new)
                    .ok_or(IdError { expected: "an integer id, 1 or more" })
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
    /// A trading venue.
    VenueId
}
