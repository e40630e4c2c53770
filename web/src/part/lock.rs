//! The idle lock: whoever leaves the page alone finds it covered, and opens it again with their password.
//!
//! The time is counted over all pages of this browser, so that work in one keeps the others open.

use gloo_timers::future::TimeoutFuture;
use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::task::spawn_local;
use settlekit_core::call::Arguments;
use settlekit_core::session::DeleteSession;

use crate::form::Form;
use crate::form::create_step_up::Password;
use crate::kept::{keep, kept};
use crate::live::Live;
use crate::session::{Session, Who};
use crate::text;

/// Where the choice is kept: minutes, 0 for never.
const CHOICE: &str = "settlekit.lock";
/// When something was last done, in milliseconds.
const ACTIVE: &str = "settlekit.active";
/// Unless the reader chooses otherwise.
const MINUTES: u32 = 15;
/// What can be chosen.
pub(crate) const CHOICES: [u32; 4] = [5, MINUTES, 60, 0];
/// How often to look.
const LOOK_MS: u32 = 5_000;
/// What is done is noted no more often than this.
const NOTE_MS: f64 = 1_000.0;

/// After how many minutes the page is covered; 0 for never.
pub(crate) fn minutes() -> u32 {
    let chosen = kept(CHOICE).and_then(|text| text.parse().ok());
    chosen.unwrap_or(MINUTES)
}

/// Chooses.
pub(crate) fn choose(minutes: u32) {
    keep(CHOICE, &minutes.to_string());
}

fn idle_ms() -> f64 {
    // Whole milliseconds: reading a float brings the tables for it into the first load.
    let active: Option<u64> = kept(ACTIVE).and_then(|text| text.parse().ok());
    active.map_or(0.0, |active| js_sys::Date::now() - active as f64)
}

fn note() {
    keep(ACTIVE, &(js_sys::Date::now() as u64).to_string());
}

fn is_due() -> bool {
    let minutes = minutes();
    minutes > 0 && idle_ms() >= f64::from(minutes) * 60_000.0
}

/// What is covered is not read either, by nobody and nothing.
fn cover(locked: bool) {
    if let Some(root) = document().document_element() {
        // Fails only for a name that is none.
        let _ = root.toggle_attribute_with_force("data-locked", locked);
    }
}

/// Watches, and covers the page when it is time.
#[component]
pub(crate) fn Lock() -> impl IntoView {
    let locked = RwSignal::new(false);
    let dialog = NodeRef::<Dialog>::new();
    // Whoever has just signed in is there.
    note();
    let active = move || {
        if !locked.get_untracked() && !is_due() && idle_ms() > NOTE_MS {
            note();
        }
    };
    let listeners = [
        window_event_listener_untyped("pointerdown", move |_| active()),
        window_event_listener_untyped("keydown", move |_| active()),
        window_event_listener_untyped("wheel", move |_| active()),
    ];
    on_cleanup(move || {
        listeners.into_iter().for_each(|listener| listener.remove());
        cover(false);
    });
    spawn_local(async move {
        while !locked.is_disposed() {
            if is_due() && locked.try_get_untracked() == Some(false) {
                locked.set(true);
            }
            TimeoutFuture::new(LOOK_MS).await;
        }
    });
    Effect::new(move |_| {
        let (Some(dialog), locked) = (dialog.get(), locked.get()) else {
            return;
        };
        cover(locked);
        if locked && !dialog.open() {
            // Fails only for a dialog that is not in the page.
            let _ = dialog.show_modal();
        } else if !locked {
            dialog.close();
        }
    });
    // A browser lets nobody be held by a dialog that refuses to close: it is opened again.
    let stay = move || {
        if locked.get_untracked()
            && let Some(dialog) = dialog.get_untracked()
        {
            // Fails only for a dialog that is not in the page.
            let _ = dialog.show_modal();
        }
    };
    let open = Callback::new(move |()| {
        note();
        locked.set(false);
    });
    view! {
        <dialog class="confirm lock" node_ref=dialog aria-labelledby="lock-title" on:cancel=|event: web_sys::Event| event.prevent_default() on:close=move |_| stay()>
            <Show when=move || locked.get()>
                <div class="inside">
                    <h2 id="lock-title">{text::locked()}</h2>
                    <Open done=open />
                </div>
            </Show>
        </dialog>
    }
}

#[component]
fn Open(done: Callback<()>) -> impl IntoView {
    let session = Session::here();
    let left = Form::new();
    Live::here().rests_during(left);
    let leave = Callback::new(move |()| {
        left.send::<DeleteSession>(Arguments::default(), move |_| {
            done.run(());
            session.set(Who::Nobody { ended: false });
        });
    });
    view! {
        <Password
            why=text::locked_why() go_on=text::unlock() done=Callback::new(move |_| done.run(()))
            other=text::sign_out() left=left leave=leave
        />
    }
}
