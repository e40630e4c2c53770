//! Session lock: covers an idle page until the password is entered, and a page whose session ended until the user signs in again.
//! The page keeps its state, except secrets.
//!
//! Activity counts across all tabs of this browser.

use gloo_timers::future::TimeoutFuture;
use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::task::spawn_local;
use settlekit_core::value::UserId;

use crate::local_storage;
use crate::session::Session;
use crate::shell::live::Live;
use crate::text;

/// Local storage key of the setting: minutes, 0 for never.
const CHOICE: &str = "settlekit.lock";
/// Local storage key of the last activity, in milliseconds.
const ACTIVE: &str = "settlekit.active";
/// Default of the setting.
const MINUTES: u32 = 15;
/// Choices of the setting.
pub(crate) const CHOICES: [u32; 4] = [5, MINUTES, 60, 0];
/// Interval of idle checks.
const CHECK_MS: u32 = 5_000;
/// Minimum interval between records of activity.
const NOTE_MS: f64 = 1_000.0;

/// Idle time until the page is covered, in minutes; 0 for never.
pub(crate) fn minutes() -> u32 {
    let chosen = local_storage::get(CHOICE).and_then(|text| text.parse().ok());
    chosen.unwrap_or(MINUTES)
}

pub(crate) fn set_minutes(minutes: u32) {
    local_storage::set(CHOICE, &minutes.to_string());
}

fn idle_ms() -> f64 {
    // An integer: parsing floats would add their tables to the first load.
    let active: Option<u64> = local_storage::get(ACTIVE).and_then(|text| text.parse().ok());
    active.map_or(0.0, |active| js_sys::Date::now() - active as f64)
}

pub(crate) fn record_activity() {
    local_storage::set(ACTIVE, &(js_sys::Date::now() as u64).to_string());
}

fn is_due() -> bool {
    let minutes = minutes();
    minutes > 0 && idle_ms() >= f64::from(minutes) * 60_000.0
}

/// Attribute of the root element, used by the style sheet and the shortcuts.
const COVERED: &str = "data-locked";

/// Covers the page, also for screen readers.
fn cover(covered: bool) {
    if let Some(root) = document().document_element() {
        // Fails only for an invalid name.
        let _ = root.toggle_attribute_with_force(COVERED, covered);
    }
}

pub(crate) fn is_covered() -> bool {
    let root = document().document_element();
    root.is_some_and(|root| root.has_attribute(COVERED))
}

#[derive(Clone, Copy)]
pub(crate) struct Cover {
    /// Whether the page was idle for too long.
    pub(crate) locked: RwSignal<bool>,
    /// Whether the session ended.
    ended: Memo<bool>,
}

impl Cover {
    /// Provides the cover before pages are built, so that they are never visible.
    pub(crate) fn provide() -> Self {
        let session = Session::from_context();
        let this = Self {
            locked: RwSignal::new(is_due()),
            ended: Memo::new(move |_| session.is_expired()),
        };
        cover(this.locked.get_untracked());
        Effect::new(move |_| cover(this.is_on()));
        on_cleanup(|| cover(false));
        provide_context(this);
        this
    }

    /// Whether the page is covered. Tracked.
    fn is_on(self) -> bool {
        self.locked.get() || self.ended.get()
    }
}

/// Clears a visible secret when the page is covered.
pub(crate) fn clear_when_covered<T: Send + Sync + 'static>(shown: RwSignal<Option<T>>) {
    let cover = expect_context::<Cover>();
    Effect::new(move |_| {
        if cover.is_on() {
            shown.set(None);
        }
    });
}

/// A dialog that stays open while `on`.
fn held(
    id: &'static str,
    title: &'static str,
    on: Signal<bool>,
    inside: impl Fn() -> AnyView + Send + Sync + 'static,
) -> AnyView {
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move |_| {
        let (Some(dialog), on) = (dialog.get(), on.get()) else {
            return;
        };
        if on && !dialog.open() {
            // Fails only for a dialog outside the document.
            let _ = dialog.show_modal();
        } else if !on {
            dialog.close();
        }
    });
    // Browsers may close a dialog despite `cancel`: open it again.
    let stay = move |_| {
        if on.get_untracked()
            && let Some(dialog) = dialog.get_untracked()
        {
            // Fails only for a dialog outside the document.
            let _ = dialog.show_modal();
        }
    };
    view! {
        <dialog class="confirm lock" node_ref=dialog aria-labelledby=id on:cancel=|event: web_sys::Event| event.prevent_default() on:close=stay>
            <Show when=move || on.get()><div class="inside"><h2 id=id>{title}</h2>{inside()}</div></Show>
        </dialog>
    }
    .into_any()
}

/// Asks the user to sign in again over the open page. `children` is the form.
#[component]
pub(crate) fn SignInAgain(children: ChildrenFn) -> impl IntoView {
    let (session, live) = (Session::from_context(), Live::from_context());
    let Cover { ended, .. } = expect_context();
    // A different user gets a new page.
    let reader = Memo::new(move |before: Option<&Option<(UserId, String)>>| {
        let now = session
            .record()
            .map(|record| (record.user.id, record.org_id.to_string()));
        now.or_else(|| before.cloned().flatten())
    });
    Effect::new(move |before: Option<(bool, Option<(UserId, String)>)>| {
        let now = (ended.get(), reader.get());
        match before {
            Some((_, before)) if before.is_some() && before != now.1 => {
                // Fails only if the page may not navigate.
                let _ = window().location().reload();
            }
            Some((true, _)) if !now.0 => live.reload_all(),
            _ => {}
        }
        now
    });
    let inside = move || view! { <p>{text::session_ended_why()}</p>{children()} }.into_any();
    held("again-title", text::session_ended(), ended.into(), inside)
}

/// Covers the page after the idle time. `children` is the form that unlocks it.
#[component]
pub(crate) fn SessionLock(children: ChildrenFn) -> impl IntoView {
    let Cover { locked, ended } = expect_context();
    if !locked.get_untracked() {
        record_activity();
    }
    let active = move || {
        if !locked.get_untracked() && !is_due() && idle_ms() > NOTE_MS {
            record_activity();
        }
    };
    let listeners = ["pointerdown", "keydown", "wheel"]
        .map(|event| window_event_listener_untyped(event, move |_| active()));
    on_cleanup(move || listeners.into_iter().for_each(|listener| listener.remove()));
    spawn_local(async move {
        while !locked.is_disposed() {
            if is_due() && locked.try_get_untracked() == Some(false) {
                locked.set(true);
            }
            TimeoutFuture::new(CHECK_MS).await;
        }
    });
    // Signing in again replaces the password check.
    let on = Signal::derive(move || locked.get() && !ended.get());
    held("lock-title", text::locked(), on, move || children())
}
