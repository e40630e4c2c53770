//! The timeline of a payment or payout: what happened to it, newest first, with the notes of members.

use leptos::prelude::*;
use settlekit_core::event::{DeliveryStatus, WebhookPayload};
use settlekit_core::note::NotedRecord;
use settlekit_core::page::{Limit, ListQuery, PageNumber};
use settlekit_core::payment::{
    GetPaymentTimeline, GetPaymentTimelinePath, PaymentTimelineEntry, TimelineEvent,
    TimelineRefund, TimelineTransaction, TimelineType, TransactionStatus,
};
use settlekit_core::value::{NoteId, PaymentId};

use crate::api;
use crate::form::notes::{DeleteNoteDialog, NoteForm, note_text};
use crate::form::transaction_link;
use crate::shell::{load, load_failure};
use crate::text::{self, timeline as words};
use crate::ui::{Icon, Id, amount, icon, status_badge, status_badge_as, timestamp};

/// Entries per page.
const ROWS: u32 = 50;

#[component]
pub(super) fn Timeline(id: PaymentId) -> impl IntoView {
    let number = RwSignal::new(1_u32);
    let timeline = load::<GetPaymentTimeline>(move || {
        let list = ListQuery {
            limit: Limit::new(ROWS),
            page: PageNumber::new(number.get()),
            ..ListQuery::default()
        };
        let path = GetPaymentTimelinePath { payment_id: id };
        Some(api::at_with_query(path, list))
    });
    let chosen = RwSignal::new(None);
    let changed = Callback::new(move |()| {
        number.set(1);
        timeline.reload();
    });
    let loading = timeline.is_loading();
    let entries = move || {
        timeline.read(|page| {
            if page.items.is_empty() {
                return view! { <p class="quiet">{words::nothing()}</p> }.into_any();
            }
            let rows = page.items.iter();
            let rows = rows.map(|entry| entry_view(entry, chosen)).collect_view();
            view! { <ol class="timeline">{rows}</ol> }.into_any()
        })
    };
    let older = Memo::new(move |_| timeline.read(|page| page.next).flatten());
    let newer = move || number.get().checked_sub(1).filter(|number| *number > 0);
    let turn = move |to: Option<u32>, label: &'static str| {
        to.map(|to| {
            view! { <button type="button" class="button small" disabled=timeline.busy on:click=move |_| number.set(to)>{label}</button> }
        })
    };
    view! {
        <section class="stack-tight" aria-labelledby="timeline">
            <h3 class="section-title" id="timeline">{text::timeline()}</h3>
            <NoteForm record=NotedRecord::Payment id=id.to_string() added=changed />
            {load_failure(timeline)}
            <Show when=move || loading.get()><span class="bone b4" aria-busy="true"></span></Show>
            {entries}
            <div class="row">{move || turn(newer(), words::newer())}{move || turn(older.get(), words::older())}</div>
        </section>
        <DeleteNoteDialog chosen=chosen deleted=changed />
    }
}

/// A line of the timeline: icon, title, time, and more below.
fn line(picture: Icon, entry: &PaymentTimelineEntry, title: AnyView, more: AnyView) -> AnyView {
    view! {
        <li class="row nowrap">
            {icon(picture)}
            <div class="stack-tight">
                <div class="row">{title}<span class="push quiet">{timestamp(entry.at)}</span></div>
                {more}
            </div>
        </li>
    }
    .into_any()
}

fn entry_view(entry: &PaymentTimelineEntry, chosen: RwSignal<Option<NoteId>>) -> AnyView {
    let show = |picture, title, more| line(picture, entry, title, more);
    match &entry.r#type {
        TimelineType::Status => {
            let status = entry.status.as_ref();
            let badge = status.map(|status| status_badge(status.as_str(), None));
            show(Icon::Payments, badge.into_any(), ().into_any())
        }
        TimelineType::Transaction => {
            let transaction = entry.transaction.as_ref();
            let title = transaction.map(|one| words::transaction(&one.status));
            let more = transaction.map(transaction_view);
            show(Icon::Chain, title.into_any(), more.into_any())
        }
        TimelineType::Refund => {
            let refund = entry.refund.as_ref();
            let title = refund.map(|refund| words::refund(&refund.status));
            let more = refund.map(refund_view);
            show(Icon::Back, title.into_any(), more.into_any())
        }
        TimelineType::Event => {
            let event = entry.event.as_ref();
            let title = event.map(|event| {
                let kind = WebhookPayload::type_of(&event.r#type, &event.action);
                view! { <span><a class="mono" href=format!("/events?open={}", event.id)>{kind}</a></span> }
            });
            let more = event.map(delivery_view);
            show(Icon::Events, title.into_any(), more.into_any())
        }
        TimelineType::Note => {
            let note = entry.note.as_ref();
            let by = note.map(|note| view! { <strong>{note.author.clone()}</strong> });
            let more = note.map(|note| note_text(note, chosen));
            show(Icon::Edit, by.into_any(), more.into_any())
        }
        TimelineType::Other(word) => show(Icon::Dash, text::words(word).into_any(), ().into_any()),
    }
}

fn transaction_view(seen: &TimelineTransaction) -> AnyView {
    let depth = seen.confirmations.zip(seen.confirmations_required);
    let depth = depth
        .filter(|(seen, needed)| seen < needed)
        .filter(|_| seen.status == TransactionStatus::Pending)
        .map(|(seen, needed)| words::depth_of(seen, needed));
    let link = transaction_link(seen.chain_id, &seen.transaction_hash);
    view! {
        <div class="row tight quiet">
            {amount(&seen.amount, seen.currency.as_str())}
            <span class="row tight"><Id id=seen.transaction_hash.clone() what=text::transaction() />{link}</span>
            {depth}
        </div>
    }
    .into_any()
}

fn refund_view(refund: &TimelineRefund) -> AnyView {
    let to = format!("/payouts?open={}", refund.payment_id);
    view! {
        <div class="row tight quiet">
            {amount(&refund.amount, refund.currency.as_str())}
            {refund.reason.as_ref().map(|reason| text::words(reason.as_str()))}
            <span><a href=to>{words::view_refund()}</a></span>
        </div>
    }
    .into_any()
}

/// What became of the webhook of an event.
fn delivery_view(event: &TimelineEvent) -> AnyView {
    let said = match &event.delivery_status {
        DeliveryStatus::Succeeded => words::delivered(),
        DeliveryStatus::Failed => words::failed_to_deliver(),
        DeliveryStatus::Skipped => words::no_endpoint(),
        // An attempt failed, and another one follows.
        DeliveryStatus::Pending if event.attempts > 0 => words::failed_to_deliver(),
        _ => words::waiting(),
    };
    let badge = status_badge_as(event.delivery_status.as_str(), said.to_owned());
    let next = event.next_attempt_at.map(|at| {
        view! { <span class="quiet">{words::next_attempt()}" "{timestamp(at)}</span> }
    });
    view! { <div class="row tight">{badge}{next}</div> }.into_any()
}
