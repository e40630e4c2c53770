//! Warns before leaving a page with unsaved changes or running work.
//!
//! The browser asks before closing or reloading the tab; the dashboard asks before showing another page or record.

use js_sys::{Function, Reflect};
use leptos::prelude::*;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

use crate::address::{link_target, strip_base_path};
use crate::session::Session;
use crate::text;
use crate::ui::{Dialog, Edits};

/// Makes the browser ask before closing or reloading, while `is_lost` returns true.
pub(crate) fn confirm_leaving_while(is_lost: impl Fn() -> bool + 'static) {
    let session = Session::from_context();
    let reader = session.reader();
    let listener = window_event_listener_untyped("beforeunload", move |event| {
        // A page that reloads for another user or organisation keeps nothing.
        if is_lost() && !session.is_replaced() && session.reader() == reader {
            event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
}

/// Cancel link of a form; discards its edits.
pub(crate) fn cancel_link(to: &'static str) -> AnyView {
    let edits = Edits::from_context();
    let discard = move |event: web_sys::MouseEvent| {
        if link_target(&event).is_some() {
            edits.discard();
        }
    };
    view! { <a class="button plain" href=to on:click=discard>{text::cancel()}</a> }.into_any()
}

/// Asks with the browser's own dialog, until ours is loaded or if it cannot be.
fn confirm_in_browser() -> bool {
    let question = [text::leave_ask(), text::leave_why()].join("\n");
    window().confirm_with_message(&question).unwrap_or(true)
}

type Go = Box<dyn Fn() + Send + Sync>;

#[derive(Clone, Copy)]
pub(crate) struct UnsavedChanges {
    edits: Edits,
    /// Navigation that waits for the user's answer.
    pending: RwSignal<Option<Callback<()>>>,
    has_dialog: StoredValue<bool>,
    /// Whether history steps are intercepted.
    watches_history: StoredValue<bool>,
}

impl UnsavedChanges {
    /// Provides it, once at the root.
    pub(crate) fn provide() {
        provide_context(Self {
            edits: Edits::provide(),
            pending: RwSignal::new(None),
            has_dialog: StoredValue::new(false),
            watches_history: StoredValue::new(false),
        });
    }

    pub(crate) fn from_context() -> Self {
        expect_context()
    }

    /// Whether anything was ever edited, so that the dialog must be loaded. Tracked.
    pub(crate) fn needs_dialog(self) -> bool {
        self.edits.is_touched()
    }

    /// Starts asking before the tab is closed and before history steps.
    pub(crate) fn watch(self) {
        confirm_leaving_while(move || self.edits.is_any());
        if !self.watches_history.get_value() {
            self.watches_history.set_value(true);
            self.watch_history();
        }
    }

    /// Discards the edits of a page that is gone.
    pub(crate) fn discard(self) {
        self.edits.discard();
    }

    /// Navigates to a URL of the dashboard, after asking if changes would be lost.
    ///
    /// `replaces_record`: whether the open record changes too.
    pub(crate) fn go(self, to: &str, replaces_record: bool, go: Go) {
        if !self.would_discard(to, replaces_record) {
            go();
        } else if self.has_dialog.get_value() {
            self.pending.set(Some(Callback::new(move |()| go())));
        } else if confirm_in_browser() {
            self.edits.discard();
            go();
        }
    }

    /// Whether navigating to a URL of the dashboard would lose changes.
    fn would_discard(self, to: &str, replaces_record: bool) -> bool {
        let here = strip_base_path(&location().pathname().unwrap_or_default());
        let stays = to.split(['?', '#']).next() == Some(&here);
        let is_edited = if stays {
            replaces_record && self.edits.is_any_in_overlay()
        } else {
            self.edits.is_any()
        };
        is_edited && !self.edits.is_sending()
    }

    /// Continues the waiting navigation and discards the changes.
    fn leave(self) {
        if let Some(go) = self.pending.try_update(Option::take).flatten() {
            self.edits.discard();
            go.run(());
        }
    }

    /// Intercepts history steps with the Navigation API, which reports them in advance.
    fn watch_history(self) {
        let listener = Closure::<dyn Fn(web_sys::Event)>::new(move |event: web_sys::Event| {
            // Fails only in a browser with a different API, where steps can't be intercepted.
            let _ = self.hold_step(&event);
        });
        if let Some(navigation) = navigation().dyn_ref::<web_sys::EventTarget>() {
            let listener = listener.as_ref().unchecked_ref();
            // Fails only for an invalid listener.
            let _ = navigation.add_event_listener_with_callback("navigate", listener);
        }
        // Never removed.
        listener.forget();
    }

    /// Cancels a history step that would lose changes, and asks.
    fn hold_step(self, event: &web_sys::Event) -> Result<(), JsValue> {
        if !event.cancelable() || get(event, "navigationType")? != "traverse" {
            return Ok(());
        }
        let to = get(event, "destination")?;
        let (address, key) = (get(&to, "url")?.as_string(), get(&to, "key")?.as_string());
        let (address, key) = (address.unwrap_or_default(), key.unwrap_or_default());
        let address = strip_base_path(&address.replace(&location().origin()?, ""));
        if !self.would_discard(&address, true) {
            return Ok(());
        }
        if self.has_dialog.get_value() {
            event.prevent_default();
            self.pending.set(Some(Callback::new(move |()| {
                // Fails only if the history entry no longer exists.
                let _ = traverse_to(&key);
            })));
        } else if !confirm_in_browser() {
            event.prevent_default();
        }
        Ok(())
    }
}

/// The dialog; lazily loaded.
#[component]
pub(crate) fn LeaveDialog() -> impl IntoView {
    let changes = UnsavedChanges::from_context();
    changes.has_dialog.set_value(true);
    on_cleanup(move || {
        changes.has_dialog.try_set_value(false);
    });
    let pending = changes.pending;
    let open = Signal::derive(move || pending.with(Option::is_some));
    let close = Callback::new(move |()| pending.set(None));
    view! {
        <Dialog open=open close=close title=text::leave_ask()>
            <p>{text::leave_why()}</p>
            <div class="row">
                <button type="button" class="button" on:click=move |_| close.run(())>{text::stay()}</button>
                <button type="button" class="button danger" on:click=move |_| changes.leave()>{text::leave()}</button>
            </div>
        </Dialog>
    }
}

fn get(object: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    Reflect::get(object, &name.into())
}

/// The Navigation API; undefined if unsupported.
fn navigation() -> JsValue {
    get(&window(), "navigation").unwrap_or_default()
}

/// Goes to the history entry with this key.
fn traverse_to(key: &str) -> Result<(), JsValue> {
    let navigation = navigation();
    let traverse: Function = get(&navigation, "traverseTo")?.dyn_into()?;
    traverse.call1(&navigation, &key.into()).map(|_| ())
}
