//! Webhooks beyond the list of events: what changed, sending again in bulk, checking one by hand.

pub(crate) const ORDER_BY: &str = "Ordered by";
pub(crate) const DIFFERENCE: &str = "What changed";
pub(crate) const BEFORE: &str = "Before";
pub(crate) const AFTER: &str = "After";
pub(crate) const FIELD: &str = "Field";
pub(crate) const ABSENT: &str = "absent";
pub(crate) const NO_EARLIER: &str = "This is the first event of this record.";
pub(crate) const NO_EARLIER_NEAR: &str =
    "None of the hundred events of this type before it is about this record.";
pub(crate) const NO_DIFFERENCE: &str = "Nothing: the record is as it was with the event before.";
pub(crate) const EVENT_BEFORE: &str = "The event before";
pub(crate) const CURL: &str = "Request as curl";
pub(crate) const COPY_CURL: &str = "Copy as curl";
pub(crate) const CURL_NOTE: &str =
    "Without signature headers: they are made anew for each attempt.";
pub(crate) const REPLAY: &str = "Send many again";
pub(crate) const REPLAY_TITLE: &str = "Send events again";
pub(crate) const REPLAY_WHY: &str = "What the filters of this page match and stands where chosen here is delivered again, a few at a time.";
pub(crate) const REPLAY_NOT_DOCUMENT: &str =
    "The filter by record does not narrow this: events of other records are sent too.";
pub(crate) const REPLAY_COUNTING: &str = "Counting…";
pub(crate) const REPLAY_NONE: &str = "Nothing matches, so there is nothing to send.";
pub(crate) const REPLAY_START: &str = "Send again";
pub(crate) const REPLAY_STOP: &str = "Stop";
pub(crate) const REPLAY_DONE: &str = "All of them are on their way";
pub(crate) const REPLAY_STOPPED: &str = "Stopped";
pub(crate) const VERIFY: &str = "Check a webhook";
pub(crate) const VERIFY_LEAD: &str = "Paste what your server received. The signature is checked here, in this browser; nothing is sent.";
pub(crate) const HEADERS: &str = "Headers";
pub(crate) const HEADERS_HINT: &str =
    "One a line, as received. The three that begin with webhook- are needed.";
pub(crate) const BODY: &str = "Body";
pub(crate) const BODY_HINT: &str = "Exactly as received: one space more and it does not fit.";
pub(crate) const VERIFY_KEY_HINT: &str =
    "Your organisation’s; put another in its place to check against that one.";
pub(crate) const VERIFY_ACT: &str = "Check";
pub(crate) const FITS: &str = "The signature fits";
pub(crate) const FITS_NOT: &str = "It would be refused";
pub(crate) const FITS_OLD: &str = "The signature fits, but not the time";
pub(crate) const FITS_OLD_WHY: &str = "A receiver refuses what was signed more than five minutes from now, so that nobody can send it again later.";

pub(crate) fn replay_count(count: &str) -> String {
    if count == "1" {
        "1 event will be sent again.".to_owned()
    } else {
        format!("{count} events will be sent again.")
    }
}

pub(crate) fn replay_progress(queued: &str, total: &str) -> String {
    format!("{queued} of {total}")
}

pub(crate) fn signed_at(moment: &str) -> String {
    format!("Signed at {moment}.")
}

pub(crate) fn fields_changed(count: usize) -> String {
    if count == 1 {
        "1 field".to_owned()
    } else {
        format!("{count} fields")
    }
}
