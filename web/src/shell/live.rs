//! Live connection: the service pushes the overview on every change, and its revision tells loaded records when to refresh. Without
//! push, the overview is polled.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use settlekit_core::envelope::Data;
use settlekit_core::overview::{GetOverview, LIVE, Overview};
use settlekit_core::value::Timestamp;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{EventSource, MessageEvent};

use crate::api;
use crate::call_failure::CallFailure;
use crate::detached_signal::DetachedSignal;
use crate::remote::Remote;
use crate::session::Session;
use crate::text;
use crate::ui::learn_service_time;

/// Interval of connection checks.
const WATCH_MS: u32 = 1_000;
/// Maximum silence of a stream. The service sends at least every 15 seconds; longer silence means a lost connection.
const SILENT_MS: f64 = 40_000.0;
/// Polling interval without push.
const PULSE_MS: u32 = 2_000;
/// Time after a change until figures of whole periods are read again.
const CALM: std::time::Duration = std::time::Duration::from_secs(5);
/// Maximum pause between failing polls.
const PULSE_MS_MAX: u32 = 30_000;

/// The current overview and its revision.
#[derive(Clone, Copy)]
pub(crate) struct Live {
    /// Without its time: see `service_now`.
    pub(crate) overview: DetachedSignal<Remote<Overview>>,
    /// Increases with every event of the organisation.
    pub(crate) revision: DetachedSignal<i64>,
    /// Whether the page may be stale because the service does not answer.
    stale: DetachedSignal<bool>,
    /// Number of records on the page that are stale because their own refresh failed.
    stale_marks: DetachedSignal<u32>,
    /// Time of the last answer or push, in milliseconds of this browser.
    heard: StoredValue<f64>,
    /// Open stream; closed with the view that started it.
    listening: StoredValue<Option<LiveStream>, LocalStorage>,
    /// Whether the user is signing out: an open stream would then be refused.
    leaving: RwSignal<bool>,
    session: Session,
}

impl Live {
    /// Starts the connection, which stops with the view that started it.
    pub(crate) fn start(session: Session) -> Self {
        let live = Self {
            overview: DetachedSignal::new(Remote::Loading),
            revision: DetachedSignal::new(0),
            stale: DetachedSignal::new(false),
            stale_marks: DetachedSignal::new(0),
            heard: StoredValue::new(0.0),
            listening: StoredValue::new_local(None),
            leaving: RwSignal::new(false),
            session,
        };
        provide_context(live);
        spawn_local(live.keep_connected());
        live
    }

    pub(crate) fn from_context() -> Self {
        expect_context()
    }

    /// What `read` finds in the overview; none until it is loaded. Tracked.
    pub(crate) fn read<U>(self, read: impl FnOnce(&Overview) -> U) -> Option<U> {
        self.overview.with(|overview| overview.ready().map(read))
    }

    /// Whether anything on the page may be stale. Tracked.
    pub(crate) fn is_stale(self) -> bool {
        self.stale.get() || self.stale_marks.get() > 0
    }

    /// Whether everything on the page is current. Tracked.
    pub(crate) fn is_current(self) -> bool {
        !self.is_stale() && self.overview.with(|overview| overview.ready().is_some())
    }

    /// Lets a record on the page report that it is stale; removed with its owner.
    pub(crate) fn stale_mark(self) -> StaleMark {
        let mark = StaleMark {
            live: self,
            is_stale: StoredValue::new(false),
        };
        on_cleanup(move || mark.set(false));
        mark
    }

    /// The same connection with a revision that follows some seconds later, for figures that cost the service more than a list. A busy
    /// shop has many events a second.
    pub(crate) fn calmed(self) -> Self {
        let revision = DetachedSignal::new(self.revision.get_untracked());
        let waits = StoredValue::new(false);
        Effect::new(move |before: Option<()>| {
            self.revision.get();
            if before.is_none() || waits.get_value() {
                return;
            }
            waits.set_value(true);
            let follow = move || {
                waits.try_set_value(false);
                if let Some(newest) = self.revision.try_get_untracked() {
                    revision.try_set(newest);
                }
            };
            set_timeout(follow, CALM);
        });
        Self { revision, ..self }
    }

    /// Polls immediately, after an operation of the user.
    pub(crate) fn refresh(self) {
        spawn_local(async move {
            self.poll().await;
        });
    }

    /// Reloads everything on the page after signing in again.
    pub(crate) fn reload_all(self) {
        self.revision.update(|_| ());
        self.refresh();
    }

    /// Polls again, as a callback for a retry button.
    pub(crate) fn retry(self) -> Callback<()> {
        Callback::new(move |()| self.refresh())
    }

    /// Closes the stream and pauses polling while signing out.
    pub(crate) fn pause_during(self, busy: RwSignal<bool>) {
        Effect::new(move |_| {
            let leaving = busy.get();
            self.leaving.set(leaving);
            if leaving {
                self.listening.set_value(None);
            }
        });
    }

    /// Keeps a stream open while the page is visible. A refused or silent stream is closed; the service is polled, then a new
    /// stream is opened.
    async fn keep_connected(self) {
        let mut pause_ms = PULSE_MS;
        while !self.overview.is_disposed() {
            // Browsers limit connections per host: only the visible page holds one.
            if document().hidden() || self.is_leaving() || untrack(|| self.session.is_expired()) {
                self.listening.try_set_value(None);
            } else if self.is_lost() {
                self.listening.try_set_value(None);
                // Stale until there is an answer.
                if self.is_silent() {
                    self.mark(true);
                }
                // The poll reports the error, if there is one.
                let fine = self.poll().await;
                pause_ms = if fine {
                    if !self.is_leaving() {
                        self.listening.try_set_value(LiveStream::to(self));
                    }
                    PULSE_MS
                } else {
                    (pause_ms * 2).min(PULSE_MS_MAX)
                };
                TimeoutFuture::new(pause_ms).await;
            }
            TimeoutFuture::new(WATCH_MS).await;
        }
    }

    /// Whether the view is gone or the user is signing out.
    fn is_leaving(self) -> bool {
        self.leaving.try_get_untracked() != Some(false)
    }

    /// Whether the service was heard before, but not for a while.
    fn is_silent(self) -> bool {
        let heard = self.heard.try_get_value().unwrap_or_default();
        heard > 0.0 && js_sys::Date::now() - heard > SILENT_MS
    }

    fn is_lost(self) -> bool {
        let refused = self
            .listening
            .try_with_value(|open| open.as_ref().is_none_or(LiveStream::is_refused));
        refused != Some(false) || self.is_silent()
    }

    async fn poll(self) -> bool {
        let heard = self.heard.try_get_value();
        let answer: Result<Overview, CallFailure> =
            api::call::<GetOverview>(self.session, api::plain()).await;
        // Outdated by a newer push. The next push is accepted with any revision: the service may have been restored from a backup.
        let shown = self.revision.try_get_untracked();
        let is_older = |overview: &Overview| Some(overview.revision) < shown;
        if self.heard.try_get_value() != heard && answer.as_ref().is_ok_and(is_older) {
            return true;
        }
        self.receive(answer)
    }

    fn receive(self, answer: Result<Overview, CallFailure>) -> bool {
        let fine = answer.is_ok();
        if fine {
            self.heard.try_set_value(js_sys::Date::now());
        }
        // Taken out, so that an overview without changes equals the one before.
        let answer = answer.map(|mut overview| {
            learn_service_time(overview.now);
            overview.now = Timestamp::from_millis(0);
            overview
        });
        let newer = answer.map_or_else(Remote::Failed, Remote::Ready);
        let Some((same, shown)) = self
            .overview
            .try_with_untracked(|overview| (*overview == newer, overview.ready().is_some()))
        else {
            return true;
        };
        if !same && (fine || !shown) {
            let revision = newer.ready().map_or(0, |overview| overview.revision);
            self.overview.try_set(newer);
            if self.revision.try_get_untracked() != Some(revision) {
                self.revision.try_set(revision);
            }
        }
        self.mark(!fine);
        fine
    }

    fn mark(self, stale: bool) {
        if self.stale.try_get_untracked() == Some(!stale) {
            self.stale.try_set(stale);
        }
    }
}

/// Reports whether a record on the page is stale.
#[derive(Clone, Copy)]
pub(crate) struct StaleMark {
    live: Live,
    is_stale: StoredValue<bool>,
}

impl StaleMark {
    pub(crate) fn set(self, is_stale: bool) {
        if self.is_stale.try_get_value() != Some(!is_stale) {
            return;
        }
        self.is_stale.set_value(is_stale);
        self.live.stale_marks.try_update(|count| {
            *count = if is_stale {
                *count + 1
            } else {
                count.saturating_sub(1)
            };
        });
    }
}

/// An open stream; closed when dropped. The browser reconnects on its own.
struct LiveStream {
    source: EventSource,
    _news: Closure<dyn Fn(MessageEvent)>,
    _broken: Closure<dyn Fn()>,
}

impl LiveStream {
    fn to(live: Live) -> Option<Self> {
        let source = EventSource::new(LIVE).ok()?;
        let news = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            let text = event.data().as_string().unwrap_or_default();
            // Unreadable messages are ignored; the poll after the silence reports the error.
            if let Ok(read) = serde_json::from_str::<Data<Overview>>(&text) {
                live.receive(Ok(read.data));
            }
        });
        let broken = Closure::<dyn Fn()>::new(move || live.mark(true));
        source.set_onmessage(Some(news.as_ref().unchecked_ref()));
        source.set_onerror(Some(broken.as_ref().unchecked_ref()));
        Some(Self {
            source,
            _news: news,
            _broken: broken,
        })
    }

    fn is_refused(&self) -> bool {
        self.source.ready_state() == EventSource::CLOSED
    }
}

impl Drop for LiveStream {
    fn drop(&mut self) {
        self.source.close();
    }
}

/// Badge for a current page; otherwise the shell shows a notice.
#[component]
pub(crate) fn LiveBadge() -> impl IntoView {
    let live = Live::from_context();
    view! {
        <span role="status">
            {move || live.is_current().then(|| view! { <span class="live">{text::live()}</span> })}
        </span>
    }
}
