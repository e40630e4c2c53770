//! The event log and webhook deliveries (contract, "Events").

mod cancel_replay;
mod count_replay;
mod create_replay;
mod create_test_event;
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
pub use create_test_event::{CreateTestEvent, CreateTestEventBody, TestEventType};
pub use get_event::{EventPath, GetEvent};
pub use get_replay::{GetReplay, GetReplayPath};
pub use list_attempts::{Attempt, ListAttempts, ListAttemptsPath};
pub use list_events::{EventOrder, ListEvents, ListEventsQuery};
pub use payload::WebhookPayload;
pub use replay::{Replay, ReplayStatus};
pub use retry_event::{RetryEvent, RetryEventPath};
pub use state::DELIVERY_TRANSITIONS;

use serde_json::Value;

use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{EventId, Timestamp};

open_enum! {
    /// Subject of an event.
    EventType {
        Unknown, Org, MerchantContract, Customer, Payment, Plan, Subscription, Invoice, Transaction, OfframpTransaction,
        CryptoTransaction, Account,
    }
}

open_enum! {
    /// Action of an event.
    EventAction {
        Unknown, Created, Updated, Queued, Processed, Disabled, Enabled, Canceled, Refunded, Overdue, Delayed, Settled,
        LowBalanceDetected, VirtualAccountAlert,
    }
}

open_enum! {
    /// Outcome of the latest delivery attempt.
    DeliveryStatus {
        /// Not yet attempted, or a retry is scheduled.
        Pending = "pending",
        /// The receiver accepted it.
        Succeeded = "succeeded",
        /// The latest attempt failed and no retry is scheduled.
        Failed = "failed",
        /// No webhook URL was set.
        Skipped = "skipped",
    }
}

record! {
    /// An event with its latest delivery attempt.
    Event {
        /// Unique id, also the `webhook-id`.
        id: EventId,
        /// Human-readable id.
        display_id: String,
        /// Position in the organisation's log, counted from 1.
        event_id: i64,
        /// Subject.
        r#type: EventType,
        /// Action.
        action: EventAction,
        /// Time of the event.
        timestamp: Timestamp,
        /// The record at the time of the event.
        data: Value,
        /// Outcome of the latest attempt.
        delivery_status?: DeliveryStatus,
        /// URL of the latest attempt.
        webhook_url?: String,
        /// Request sent.
        webhook_request?: String,
        /// Response received.
        webhook_response?: String,
        /// Error, if there was no response.
        webhook_response_error?: String,
        /// HTTP status of the response.
        webhook_response_status?: u16,
        /// Time of the latest attempt.
        webhook_sent_at?: Timestamp,
        /// Earliest time of the next attempt. While one is under way, the time of its repetition if its outcome stays unknown. Absent if
        /// none is due, or if an older event of the same record comes first.
        next_attempt_at?: Timestamp,
        /// True for a test event, whose record is an example; absent otherwise.
        test?: bool,
    }
}
