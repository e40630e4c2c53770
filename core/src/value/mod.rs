//! Value types used by all rooms: amounts, times, ids, references, open enumerations.
//!
//! Each can only be created by a parser that rejects values it can't store exactly. Records and operations live elsewhere.

pub mod address;
pub mod amount;
pub mod color;
pub mod id;
pub mod open;
pub mod param;
pub mod parse;
pub mod record;
pub mod reference;
pub mod timestamp;
pub mod xpub;

pub use address::WalletAddress;
pub use amount::{Amount, AmountError, Number};
pub use id::{
    AccountId, ApiKeyId, AutomationId, ChainId, CustomerId, EventId, ExternalAccountId, IdError,
    IdText, InstrumentId, InvoiceId, MovementId, NoteId, OrderId, OrganisationId, PaylinkId,
    PaymentId, PlanId, QuoteId, ReplayId, RuleId, SavedViewId, SubscriptionId, SubscriptionItemId,
    TransactionId, UserId, VenueId,
};
pub use param::{Param, QueryValue};
pub use record::Object;
pub use reference::{AccountKey, AccountReference, Currency, ReferenceError};
pub use timestamp::{Timestamp, TimestampError};
pub use xpub::{ExtendedPublicKey, ExtendedPublicKeyError};
