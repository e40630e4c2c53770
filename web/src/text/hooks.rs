//! Webhook tools: differences, bulk redelivery, manual verification.

use crate::text::language::{filled, translate};

texts! {
    open_subject = "View object";
    webhooks_paused = "Webhooks paused";
    webhooks_paused_since = "Nothing has been sent since";
    webhooks_paused_why = "The endpoint rejected webhooks or failed too often. Events since then are queued and sent in order once you resume.";
    resume_webhooks = "Resume webhooks";
    webhooks_resumed = "Webhooks resumed";
    order_by = "Order by";
    difference = "What changed";
    before = "Before";
    after = "After";
    field = "Field";
    absent = "absent";
    no_earlier = "First event for this object.";
    no_earlier_near = "None of the 100 events of this type before it is for this object.";
    about_hint = "Any ID: pay_…, cus_…, 7";
    no_difference = "Nothing changed since the previous event.";
    event_before = "Previous event";
    curl = "Request as curl";
    copy_curl = "Copy as curl";
    curl_note = "Without signature headers: each attempt has its own signature.";
    replay = "Resend events";
    replay_why = "Resends events that match this page’s filters and the status below, a few at a time.";
    replay_not_document = "This filter doesn’t apply: events of other objects are sent too.";
    replay_counting = "Counting…";
    replay_none = "No matching events.";
    replay_done = "All events queued";
    replay_stopped = "Stopped";
    verify = "Verify signature";
    verify_lead = "Paste what your server received. The signature is checked in your browser; nothing is sent.";
    headers = "Headers";
    headers_hint = "One per line, as received. All three webhook- headers are required.";
    body = "Body";
    body_hint = "Exactly as received, spaces included.";
    verify_key_hint = "Your organisation’s key. Replace it to check against another.";
    verify_act = "Verify";
    fits = "Signature valid";
    fits_not = "Signature invalid";
    fits_old = "Signature valid, timestamp too old";
    fits_old_why = "Receivers reject webhooks signed more than five minutes ago, or ahead, to prevent replay attacks.";

    replay_progress(queued: &str, total: &str) = "{queued} of {total}";
    signed_at(time: &str) = "Signed at {time}.";
    replay_count(count: &str) = "{count} events will be resent.", "1" = "1 event will be resent.";
    fields_changed(count: usize) = "{count} fields", 1 = "1 field";
}
