//! The timeline of a payment, and what every record's head offers.

use settlekit_core::payment::{PaymentStatus, TransactionStatus};

use crate::text::language::{filled, translate};

texts! {
    failed_to_deliver = "Webhook not delivered";
    delivered = "Webhook delivered";
    waiting = "Webhook not sent yet";
    no_endpoint = "No webhook endpoint set";
    next_attempt = "Next attempt:";
    transaction_detected = "Transaction detected";
    transaction_confirmed = "Transaction confirmed";
    transaction_failed = "Transaction failed";
    depth_of(seen: u32, needed: u32) = "{seen} of {needed} confirmations";
    refund_under_way = "Refund on its way";
    refund_confirmed = "Refund confirmed";
    refund_failed = "Refund failed";
    refund_canceled = "Refund canceled";
    view_refund = "View refund";
    nothing = "No activity yet.";
    older = "Older entries";
    newer = "Newer entries";
    // --- Facts of a payment ---
    gross = "Gross";
    net = "Net";
    // --- Heads of records ---
    copy_record_link = "Copy record link";
    record_link = "Link to this record";
    get_call = "API call as curl";
    your_api_key = "your API key";
}

/// What became of a transaction.
pub(crate) fn transaction(status: &TransactionStatus) -> &'static str {
    match status {
        TransactionStatus::Success => transaction_confirmed(),
        TransactionStatus::Failed => transaction_failed(),
        _ => transaction_detected(),
    }
}

/// What became of a refund, by the status of its payout.
pub(crate) fn refund(status: &PaymentStatus) -> &'static str {
    match status {
        PaymentStatus::Confirmed => refund_confirmed(),
        PaymentStatus::Failed | PaymentStatus::Expired => refund_failed(),
        PaymentStatus::Canceled => refund_canceled(),
        _ => refund_under_way(),
    }
}
