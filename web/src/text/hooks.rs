//! Webhook tools: differences, bulk redelivery, manual verification.

use crate::text::language::{filled, said};

texts! {
    open_subject = "Open what it is about";
    webhooks_paused = "Webhooks are paused";
    webhooks_paused_since = "Nothing has been sent since";
    webhooks_paused_why = "The endpoint refused for good, or failed too often. What has happened since waits and goes out in its order once it is sent to again.";
    resume_webhooks = "Send again";
    webhooks_resumed = "Webhooks are sent again";
    order_by = "Ordered by";
    difference = "What changed";
    before = "Before";
    after = "After";
    field = "Field";
    absent = "absent";
    no_earlier = "This is the first event of this record.";
    no_earlier_near = "None of the hundred events of this type before it is about this record.";
    about_hint = "Any id: pay_…, cus_…, 7";
    no_difference = "Nothing: the record is as it was with the event before.";
    event_before = "The event before";
    curl = "Request as curl";
    copy_curl = "Copy as curl";
    curl_note = "Without signature headers: they are made anew for each attempt.";
    replay = "Send many again";
    replay_title = "Send events again";
    replay_why = "What the filters of this page match and stands where chosen here is delivered again, a few at a time.";
    replay_not_document = "The filter by record does not narrow this: events of other records are sent too.";
    replay_counting = "Counting…";
    replay_none = "Nothing matches, so there is nothing to send.";
    replay_start = "Send again";
    replay_stop = "Stop";
    replay_done = "All of them are on their way";
    replay_stopped = "Stopped";
    verify = "Check a webhook";
    verify_lead = "Paste what your server received. The signature is checked here, in this browser; nothing is sent.";
    headers = "Headers";
    headers_hint = "One a line, as received. The three that begin with webhook- are needed.";
    body = "Body";
    body_hint = "Exactly as received: one space more and it does not fit.";
    verify_key_hint = "Your organisation’s; put another in its place to check against that one.";
    verify_act = "Check";
    fits = "The signature fits";
    fits_not = "It would be refused";
    fits_old = "The signature fits, but not the time";
    fits_old_why = "A receiver refuses what was signed more than five minutes from now, so that nobody can send it again later.";
}

pub(crate) fn replay_count(count: &str) -> String {
    if count == "1" {
        said("1 event will be sent again.").to_owned()
    } else {
        say!("{count} events will be sent again.", count)
    }
}

pub(crate) fn replay_progress(queued: &str, total: &str) -> String {
    say!("{queued} of {total}", queued, total)
}

pub(crate) fn signed_at(moment: &str) -> String {
    say!("Signed at {moment}.", moment)
}

pub(crate) fn fields_changed(count: usize) -> String {
    if count == 1 {
        said("1 field").to_owned()
    } else {
        say!("{count} fields", count)
    }
}
