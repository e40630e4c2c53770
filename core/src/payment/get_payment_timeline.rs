//! `GET /payments/{payment_id}/timeline`.

use super::{PaymentReason, PaymentStatus, TransactionStatus, TransactionType};
use crate::event::{DeliveryStatus, EventAction, EventType};
use crate::note::Note;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{Amount, ChainId, Currency, EventId, PaymentId, Timestamp};

/// Maximum number of entries on a page and the pages before it.
pub const TIMELINE_ENTRIES_MAX: u32 = 10_000;

open_enum! {
    /// What happened.
    TimelineType {
        /// The payment changed its status: `status`.
        Status,
        /// A transaction was first seen: `transaction`, as it is now.
        Transaction,
        /// A refund was accepted: `refund`, as it is now.
        Refund,
        /// An event was recorded: `event`, with the state of its delivery.
        Event,
        /// A member wrote a note: `note`.
        Note,
    }
}

record! {
    /// An entry of a payment's timeline. `type` names the part that is present; the others are absent.
    PaymentTimelineEntry {
        /// What happened.
        r#type: TimelineType,
        /// Time when it happened.
        at: Timestamp,
        /// New status of the payment.
        status?: PaymentStatus,
        /// The transaction.
        transaction?: TimelineTransaction,
        /// The refund.
        refund?: TimelineRefund,
        /// The event.
        event?: TimelineEvent,
        /// The note.
        note?: Note,
    }
}

record! {
    /// A transaction on a timeline.
    TimelineTransaction {
        /// Transaction hash.
        transaction_hash: String,
        /// Chain id.
        chain_id: ChainId,
        /// Purpose.
        r#type: TransactionType,
        /// Current status.
        status: TransactionStatus,
        /// Amount transferred, in `currency`.
        amount: Amount,
        /// Currency of `amount`.
        currency: Currency,
        /// Number of confirmations: its own block and the blocks on top.
        confirmations?: u32,
        /// Confirmations required.
        confirmations_required?: u32,
        /// Block that it is in; absent before.
        block_number?: u64,
    }
}

record! {
    /// A refund on a timeline.
    TimelineRefund {
        /// The payout that sends the money back.
        payment_id: PaymentId,
        /// Status of the payout.
        status: PaymentStatus,
        /// Why the payout needs attention.
        reason?: PaymentReason,
        /// Amount, in `currency`.
        amount: Amount,
        /// Currency of `amount`.
        currency: Currency,
    }
}

record! {
    /// An event on a timeline.
    TimelineEvent {
        /// Unique id.
        id: EventId,
        /// Subject: the payment, or one of its movements and transactions.
        r#type: EventType,
        /// Action.
        action: EventAction,
        /// Outcome of the latest attempt.
        delivery_status: DeliveryStatus,
        /// Number of attempts.
        attempts: u32,
        /// Time of the latest attempt.
        webhook_sent_at?: Timestamp,
        /// Earliest time of the next attempt; absent if none is due, or if an older event of the same record comes first.
        next_attempt_at?: Timestamp,
    }
}

operation! {
    /// Lists what happened to a payment or payout: changes of its status, transactions, refunds and events, newest first.
    /// The dashboard's session also gets the notes of members. At most 10 000 entries can be read.
    GetPaymentTimeline in "payment": GET "/payments/{payment_id}/timeline",
    path: GetPaymentTimelinePath {
        /// The payment's id.
        payment_id: PaymentId,
    },
    query: ListQuery,
    response: Page<PaymentTimelineEntry>,
    WIRE: Wire::List,
}
