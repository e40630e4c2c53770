//! The pulse of the page: the service tells the overview whenever it has changed, and its revision tells everything else
//! when to look again. Where the service cannot tell, it is asked.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use settlekit_core::envelope::Data;
use settlekit_core::overview::{GetOverview, LIVE, Overview};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{EventSource, MessageEvent};

use crate::api::{self, Trouble};
use crate::load::Remote;
use crate::session::Session;

/// How often to see whether the service is still heard.
const WATCH_MS: u32 = 1_000;
/// The service says something at least every fifteen seconds; longer silence means that it is gone.
const SILENT_MS: f64 = 40_000.0;
/// How often to ask where the service cannot tell.
const PULSE_MS: u32 = 2_000;
/// The longest pause between two questions while they fail.
const PULSE_MS_MAX: u32 = 30_000;

/// The current overview and its revision.
#[derive(Clone, Copy)]
pub(crate) struct Live {
    /// The overview.
    pub(crate) overview: RwSignal<Remote<Overview>>,
    /// Grows with every event of the organisation.
    pub(crate) revision: Memo<i64>,
    /// Whether what is shown may be old because the service does not answer.
    pub(crate) stale: RwSignal<bool>,
    /// When the service was heard last, in milliseconds of this browser.
    heard: StoredValue<f64>,
    session: Session,
}

impl Live {
    /// Starts the pulse; it stops with the view that started it.
    pub(crate) fn start(session: Session) -> Self {
        let overview = RwSignal::new(Remote::Loading);
        let revision = Memo::new(move |_| {
            overview.with(|overview: &Remote<Overview>| {
                overview.ready().map_or(0, |overview| overview.revision)
            })
        });
        let live = Self {
            overview,
            revision,
            stale: RwSignal::new(false),
            heard: StoredValue::new(0.0),
            session,
        };
        provide_context(live);
        spawn_local(live.keep());
        live
    }

    /// The pulse of this page.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Asks now: after an act of the reader's own.
    pub(crate) fn poke(self) {
        spawn_local(async move {
            self.ask().await;
        });
    }

    /// The last failure, when there is no overview at all.
    pub(crate) fn retry(self) -> Callback<()> {
        Callback::new(move |()| self.poke())
    }

    /// Listens while the page is looked at. A stream that is refused or silent is given up, the service is asked instead,
    /// and listened to again.
    async fn keep(self) {
        let mut pause_ms = PULSE_MS;
        let mut listening: Option<Listening> = None;
        while !self.overview.is_disposed() {
            // A browser keeps few connections to a host: only the page in view may hold one.
            if document().hidden() {
                listening = None;
            } else if listening
                .as_ref()
                .is_none_or(|listening| self.is_lost(listening))
            {
                listening = None;
                // Says why, where there is a reason.
                let fine = self.ask().await;
                if self.overview.is_disposed() {
                    return;
                }
                pause_ms = if fine {
                    listening = Listening::to(self);
                    PULSE_MS
                } else {
                    (pause_ms * 2).min(PULSE_MS_MAX)
                };
                TimeoutFuture::new(pause_ms).await;
            }
            TimeoutFuture::new(WATCH_MS).await;
        }
    }

    fn is_lost(self, listening: &Listening) -> bool {
        let silent_ms = js_sys::Date::now() - self.heard.try_get_value().unwrap_or_default();
        listening.is_refused() || silent_ms > SILENT_MS
    }

    async fn ask(self) -> bool {
        let answer: Result<Overview, Trouble> =
            api::call::<GetOverview>(self.session, api::plain()).await;
        self.take(answer)
    }

    fn take(self, answer: Result<Overview, Trouble>) -> bool {
        let fine = answer.is_ok();
        if fine {
            self.heard.try_set_value(js_sys::Date::now());
        }
        let newer = answer.map_or_else(Remote::Failed, Remote::Ready);
        let Some((same, shown)) = self
            .overview
            .try_with_untracked(|overview| (*overview == newer, overview.ready().is_some()))
        else {
            return true;
        };
        if !same && (fine || !shown) {
            self.overview.try_set(newer);
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

/// An open stream; closed when dropped. The browser comes back by itself after a break.
struct Listening {
    source: EventSource,
    _news: Closure<dyn Fn(MessageEvent)>,
    _broken: Closure<dyn Fn()>,
}

impl Listening {
    fn to(live: Live) -> Option<Self> {
        let source = EventSource::new(LIVE).ok()?;
        let news = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            let text = event.data().as_string().unwrap_or_default();
            // What cannot be read says nothing; the question that follows silence will say why.
            if let Ok(read) = serde_json::from_str::<Data<Overview>>(&text) {
                live.take(Ok(read.data));
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

impl Drop for Listening {
    fn drop(&mut self) {
        self.source.close();
    }
}
