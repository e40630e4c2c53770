//! The service's time, which judges what it says of times: a sandbox's clock may be ahead, and the browser's may be wrong.

use std::cell::Cell;

use leptos::prelude::window;
use settlekit_core::value::Timestamp;

/// Maximum age of an answer, in milliseconds: a call ends after half of it.
const ANSWER_AGE_MS_MAX: i64 = 60_000;

thread_local! {
    /// The service's time when the page started, in milliseconds; none before its first answer.
    static STARTED_MS: Cell<Option<i64>> = const { Cell::new(None) };
}

/// Milliseconds since the page started. Unlike the browser's time, it never jumps.
fn running_ms() -> i64 {
    let performance = window().performance();
    performance.map_or_else(js_sys::Date::now, |performance| performance.now()) as i64
}

/// Learns the service's time from an answer. Answers take a while, so a slightly earlier time than expected is no news.
pub(crate) fn learn_service_time(now: Timestamp) {
    let started = now.millis() - running_ms();
    let is_news = STARTED_MS
        .get()
        .is_none_or(|known| started > known || started < known - ANSWER_AGE_MS_MAX);
    if is_news {
        STARTED_MS.set(Some(started));
    }
}

/// The service's time; the browser's before the first answer.
pub(crate) fn service_now() -> Timestamp {
    let millis = STARTED_MS.get().map_or_else(
        || js_sys::Date::now() as i64,
        |started| started + running_ms(),
    );
    Timestamp::from_millis(millis)
}
