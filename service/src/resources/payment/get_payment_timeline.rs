//! What happened to a payment, from the records that each know a part of it.

use settlekit_core::error::Reason;
use settlekit_core::note::NotedRecord;
use settlekit_core::page::{Page, Sort};
use settlekit_core::payment::{
    CryptoTransaction, GetPaymentTimeline, Payment, PaymentMethod, PaymentTimelineEntry,
    TIMELINE_ENTRIES_MAX, TimelineRefund, TimelineTransaction, TimelineType, TransactionSummary,
};
use settlekit_core::value::Timestamp;

use super::with_transactions;
use crate::resources::note;
use crate::store;
use crate::unit::caller::Via;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// An entry without its part.
fn blank(r#type: TimelineType, at: Timestamp) -> PaymentTimelineEntry {
    PaymentTimelineEntry {
        r#type,
        at,
        status: None,
        transaction: None,
        refund: None,
        event: None,
        note: None,
    }
}

/// The order of entries at the same time: causes before their events.
fn rank(r#type: &TimelineType) -> u8 {
    match r#type {
        TimelineType::Transaction => 0,
        TimelineType::Refund => 1,
        TimelineType::Status => 2,
        TimelineType::Event => 3,
        TimelineType::Note => 4,
        TimelineType::Other(_) => 5,
    }
}

fn status_entries(payment: &Payment) -> impl Iterator<Item = PaymentTimelineEntry> {
    let changes = payment.timeline.iter().flatten();
    changes.map(|change| PaymentTimelineEntry {
        status: Some(change.status.clone()),
        ..blank(TimelineType::Status, change.at)
    })
}

fn received(payment: &Payment, seen: &CryptoTransaction) -> PaymentTimelineEntry {
    let currency = seen.currency.as_ref().unwrap_or(&payment.currency);
    PaymentTimelineEntry {
        transaction: Some(TimelineTransaction {
            transaction_hash: seen.transaction_hash.clone(),
            chain_id: seen.chain_id,
            r#type: seen.r#type.clone(),
            status: seen.status.clone(),
            amount: seen.value,
            currency: currency.clone(),
            confirmations: seen.confirmations,
            confirmations_required: seen.confirmations_required,
            block_number: seen.block_number,
        }),
        ..blank(TimelineType::Transaction, seen.created_at)
    }
}

fn sent(payout: &Payment, summary: &TransactionSummary) -> PaymentTimelineEntry {
    PaymentTimelineEntry {
        transaction: Some(TimelineTransaction {
            transaction_hash: summary.transaction_hash.clone(),
            chain_id: summary.chain_id,
            r#type: summary.r#type.clone(),
            status: summary.status.clone(),
            amount: payout.amount,
            currency: payout.currency.clone(),
            confirmations: summary.confirmations,
            confirmations_required: summary.confirmations_required,
            block_number: summary.block_number,
        }),
        ..blank(TimelineType::Transaction, summary.created_at)
    }
}

fn refund(payout: Payment) -> PaymentTimelineEntry {
    PaymentTimelineEntry {
        refund: Some(TimelineRefund {
            payment_id: payout.id,
            status: payout.status,
            reason: payout.reason,
            amount: payout.amount,
            currency: payout.currency,
        }),
        ..blank(TimelineType::Refund, payout.created_at)
    }
}

pub(crate) fn get_payment_timeline(
    unit: &mut Unit<'_>,
    call: Received<GetPaymentTimeline>,
) -> Outcome<Page<PaymentTimelineEntry>> {
    let caller = &call.caller;
    let (organisation, id, query) = (caller.organisation, call.path.payment_id, &call.query);
    let last = u64::from(query.page()) * u64::from(query.limit());
    if last > u64::from(TIMELINE_ENTRIES_MAX) {
        return Err(Refusal::field(
            "page",
            Reason::OutOfRange,
            format!("must be within the first {TIMELINE_ENTRIES_MAX} entries"),
        ));
    }
    let payment = store::payment::LISTING
        .find(unit.database, organisation, id)?
        .ok_or_else(|| Refusal::not_found("payment"))?;
    let payment = with_transactions(unit, payment)?;
    let document = id.to_string();
    let mut entries: Vec<PaymentTimelineEntry> = status_entries(&payment).collect();
    if payment.payment_method == PaymentMethod::Payout {
        let summary = payment.settlement_transaction.as_ref();
        entries.extend(summary.map(|summary| sent(&payment, summary)));
    } else {
        let seen = payment.crypto_transactions.iter().flatten();
        entries.extend(seen.map(|seen| received(&payment, seen)));
        let payouts = store::refund::payouts(unit.database, organisation, id)?;
        entries.extend(payouts.into_iter().map(refund));
    }
    // Programs have no notes.
    if matches!(caller.via, Via::Session { .. }) {
        let record = (&NotedRecord::Payment, document.as_str());
        let notes = store::note::of_record(unit.database, organisation, record)?;
        entries.extend(notes.into_iter().rev().map(|stored| {
            let at = stored.created_at;
            PaymentTimelineEntry {
                note: Some(note::record(caller, stored)),
                ..blank(TimelineType::Note, at)
            }
        }));
    }
    entries.retain(|entry| {
        query.since.is_none_or(|since| entry.at >= since)
            && query.until.is_none_or(|until| entry.at <= until)
    });
    let events = store::event::DocumentEvents {
        organisation,
        document: &document,
        since: query.since,
        until: query.until,
    };
    let total = entries.len() as u64 + events.count(unit.database)?;
    // No later event can be among the first `last` entries.
    let first = events.first(unit.database, query.sort(), last)?;
    entries.extend(first.into_iter().map(|(event, at)| PaymentTimelineEntry {
        event: Some(event),
        ..blank(TimelineType::Event, at)
    }));
    entries.sort_by_key(|entry| (entry.at, rank(&entry.r#type)));
    if query.sort() == Sort::Descending {
        entries.reverse();
    }
    let page_start = last - u64::from(query.limit());
    let items = entries
        .into_iter()
        .skip(usize::try_from(page_start).unwrap_or(usize::MAX))
        .take(query.limit() as usize);
    // A page that ends beyond the limit is refused.
    let next_last = last + u64::from(query.limit());
    let has_next = total > last && next_last <= u64::from(TIMELINE_ENTRIES_MAX);
    Ok(Page {
        items: items.collect(),
        total,
        next: has_next.then(|| query.page() + 1),
        last_update: None,
        counts: None,
    })
}
