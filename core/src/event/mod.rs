//! The event log and webhook deliveries (contract, "Events").

mod cancel_replay;
mod count_replay;
mod create_replay;
mod get_event;
mod get_replay;
mod list_attempts;
mod list_events;
mod payload;
mod replay;
mod retry_event;
mod state;

pub use cancel_replay::{CancelReplay, CancelReplayPath};
pub use count_replay::{CountReplay, CountReplayQuery, ReplayCount};
pub use create_replay::{CreateReplay, CreateReplayBody};
pub use get_event::{EventPath, GetEvent};
pub use get_replay::{GetReplay, GetReplayPath};
pub use list_attempts::{Attempt, ListAttempts, ListAttemptsPath};
pub use list_events::{EventOrder, ListEvents, ListEventsQuery};
pub use payload::WebhookPayload;
pub use replay::{Replay, ReplayStatus};
pub use retry_event::{RetryEvent, RetryEventPath};
pub use state::DELIVERY_MOVES;

use serde_json::Value;

use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{EventId, Timestamp};

open_enum! {
    /// What an event is about.
    EventType {
        Unknown, Org, MerchantContract, Customer, Payment, Plan, Subscription, Invoice, Transaction, OfframpTransaction,
        CryptoTransaction, Account,
    }
}

open_enum! {
    /// What happened.
    EventAction {
        Unknown, Created, Updated, Queued, Processed, Disabled, Enabled, Canceled, Refunded, Overdue, Delayed, Settled,
        LowBalanceDetected, VirtualAccountAlert,
    }
}

open_enum! {
    /// What came of the latest attempt to deliver.
    DeliveryStatus {
        /// Not attempted yet, or to be attempted again.
        Pending = "pending",
        /// The receiver took it.
        Succeeded = "succeeded",
        /// The latest attempt failed and no other is planned.
        Failed = "failed",
        /// There was nowhere to deliver to.
        Skipped = "skipped",
    }
}

record! {
    /// An event with its latest delivery attempt.
    Event {
        /// Unique id, also the `webhook-id`.
        id: EventId,
        /// For people.
        display_id: String,
        /// Its place in the organisation's log, counted from 1.
        event_id: i64,
        /// What it is about.
        r#type: EventType,
        /// What happened.
        action: EventAction,
        /// When.
        timestamp: Timestamp,
        /// The record as it was then.
        data: Value,
        /// What came of the latest attempt.
        delivery_status?: DeliveryStatus,
        /// Where the latest attempt went.
        webhook_url?: String,
        /// What was sent.
        webhook_request?: String,
        /// What came back.
        webhook_response?: String,
        /// Why nothing came back.
        webhook_response_error?: String,
        /// The status that came back.
        webhook_response_status?: u16,
        /// When the latest attempt was made.
        webhook_sent_at?: Timestamp,
    }
}
