//! The words every room uses: amounts, times, ids, references, open enumerations.
//!
//! Each is made only by a parser that refuses what it cannot keep exactly. No record and no operation lives here.

pub mod address;
pub mod amount;
pub mod id;
pub mod open;
pub mod param;
pub mod record;
pub mod reference;
pub mod timestamp;

pub use address::WalletAddress;
pub use amount::{Amount, AmountError, Number};
pub use id::{
    AccountId, ApiKeyId, AutomationId, ChainId, CustomerId, EventId, ExternalAccountId, IdError,
    IdText, InstrumentId, InvoiceId, MovementId, OrderId, OrganisationId, PaylinkId, PaymentId,
    PlanId, QuoteId, ReplayId, RuleId, SubscriptionId, SubscriptionItemId, UserId, VenueId,
};
pub use param::{Param, QueryValue};
pub use record::Object;
pub use reference::{AccountKey, AccountReference, Currency, ReferenceError};
pub use timestamp::{Timestamp, TimestampError};
