//! The pulse of the page: the overview is asked for while the page is visible, and its revision tells everything else
//! when to look again.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use settlekit_core::overview::{GetOverview, Overview};

use crate::api::{self, Trouble};
use crate::load::Remote;
use crate::session::Session;

/// How often to ask, in milliseconds.
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
            session,
        };
        provide_context(live);
        spawn_local(async move {
            let mut pause_ms = PULSE_MS;
            loop {
                if live.overview.is_disposed() {
                    return;
                }
                if !document().hidden() {
                    pause_ms = if live.ask().await {
                        PULSE_MS
                    } else {
                        (pause_ms * 2).min(PULSE_MS_MAX)
                    };
                }
                TimeoutFuture::new(pause_ms).await;
            }
        });
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

    async fn ask(self) -> bool {
        let answer: Result<Overview, Trouble> =
            api::call::<GetOverview>(self.session, api::plain()).await;
        let fine = answer.is_ok();
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
        if self.stale.try_get_untracked() == Some(fine) {
            self.stale.try_set(!fine);
        }
        fine
    }
}
