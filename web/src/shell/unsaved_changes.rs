//! Leaving the page while something would be lost by it: what is under way and would stop half done, and what is written
//! and not sent. The browser asks before the page is gone with all there is; before another page of the dashboard comes in
//! its place, the dashboard asks.

use std::cell::Cell;

use js_sys::{Function, Reflect};
use leptos::prelude::*;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

use crate::address::{link_target, strip_base_path};
use crate::session::Session;
use crate::text;
use crate::ui::overlay::{Box, TYPED};

/// The same over the page: it goes with what it is about.
const TYPED_OVER: &str = ".veil:popover-open [data-typed]";
/// What its mark says from the moment it is to be sent until it is.
const SENT: &str = "[data-typed=sent]";
/// A form that is sent to the service. Filters are in the address, and what is marked as passing nobody would miss.
const KEPT: &str = "form:not([role=search], [data-passing])";

thread_local! {
    /// How many forms are being sent: what they say is on its way.
    static SENDING: Cell<u32> = const { Cell::new(0) };
    /// Whether what asks has come.
    static ASKS: Cell<bool> = const { Cell::new(false) };
}

/// Has the browser ask before the page is closed or loaded anew, as long as this is so.
pub(crate) fn ask_while(is_lost: impl Fn() -> bool + 'static) {
    let session = Session::here();
    let listener = window_event_listener_untyped("beforeunload", move |event| {
        // A page that gives way to somebody else keeps nothing.
        if is_lost() && !session.is_anothers() {
            event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
}

/// Marks the form around what an event happened to, where it is one of those.
fn mark(event: &web_sys::Event, which: &str, as_what: &str) {
    let field = event.target();
    let field = field.and_then(|field| field.dyn_into::<web_sys::Element>().ok());
    if let Some(Ok(Some(form))) = field.map(|field| field.closest(which)) {
        // Fails only for a name that no attribute can have.
        let _ = form.set_attribute("data-typed", as_what);
    }
}

/// What was written is gone with its page. Its form may not be: the next page takes over what it is made of.
pub(crate) fn is_left() {
    forget(TYPED);
}

/// The way out of a form: whoever takes it has decided, and is not asked.
pub(crate) fn cancel(to: &'static str) -> AnyView {
    let give_up = |event: web_sys::MouseEvent| {
        if link_target(&event).is_some() {
            forget(TYPED);
        }
    };
    view! { <a class="button plain" href=to on:click=give_up>{text::cancel()}</a> }.into_any()
}

/// Nothing of these can be lost any more.
fn forget(which: &str) {
    while let Ok(Some(form)) = document().query_selector(which) {
        // Fails only for a name that no attribute can have.
        let _ = form.remove_attribute("data-typed");
    }
}

fn is_there(which: &str) -> bool {
    matches!(document().query_selector(which), Ok(Some(_)))
}

/// Knows from here on in which forms something is written that is not sent yet, and asks before it is lost.
pub(crate) fn keep_typed() {
    let leaving = Leaving::here();
    let typed = window_event_listener_untyped("input", move |event| {
        mark(&event, KEPT, "");
        if !leaving.written.get_untracked() {
            leaving.written.set(true);
            leaving.keep_steps();
        }
    });
    let sent = window_event_listener_untyped("submit", |event| mark(&event, TYPED, "sent"));
    on_cleanup(move || {
        typed.remove();
        sent.remove();
    });
    ask_while(|| is_there(TYPED));
}

/// A form is being sent, or is so no longer.
pub(crate) fn sends(begins: bool) {
    let others = SENDING.get();
    SENDING.set(if begins {
        others + 1
    } else {
        others.saturating_sub(1)
    });
}

/// What is sent again is what was sent before, whatever has been written over it since.
pub(crate) fn is_sent_again() {
    if let Ok(Some(form)) = document().query_selector(TYPED) {
        // Fails only for a name that no attribute can have.
        let _ = form.set_attribute("data-typed", "sent");
    }
}

/// What was to be sent has been: nothing of it can be lost any more. The form is found by its mark, for a question or a
/// fresh proof may have stood between its button and this.
pub(crate) fn is_sent() {
    forget(SENT);
}

/// Whether something written is lost by going to an address of the dashboard: with the page, and where `over` with the
/// record that is open over it.
fn loses(to: &str, over: bool) -> bool {
    let here = strip_base_path(&location().pathname().unwrap_or_default());
    let stays = to.split(['?', '#']).next() == Some(&here);
    let typed = if stays { TYPED_OVER } else { TYPED };
    (over || !stays) && SENDING.get() == 0 && is_there(typed)
}

/// Asks as the browser does, where what asks has not come yet, or does not come.
fn is_given_up() -> bool {
    let question = [text::leave_ask(), text::leave_why()].join("\n");
    window().confirm_with_message(&question).unwrap_or(true)
}

/// What goes somewhere.
type Go = std::boxed::Box<dyn Fn() + Send + Sync>;

/// What is written, and where the reader was going who is asked whether to leave it.
#[derive(Clone, Copy)]
pub(crate) struct Leaving {
    /// Whether anything ever was: then what asks is brought.
    written: RwSignal<bool>,
    to: RwSignal<Option<Callback<()>>>,
}

impl Leaving {
    /// Nothing is written yet; once, at the root.
    pub(crate) fn provide() {
        provide_context(Self {
            written: RwSignal::new(false),
            to: RwSignal::new(None),
        });
    }

    /// That of this program.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Goes to an address of the dashboard; where something written is lost by it, the reader is asked first.
    pub(crate) fn go(self, to: &str, over: bool, go: Go) {
        if !loses(to, over) {
            go();
        } else if ASKS.get() {
            self.to.set(Some(Callback::new(move |()| go())));
        } else if is_given_up() {
            forget(TYPED);
            go();
        }
    }

    /// Goes where the reader was going, and leaves what is written.
    fn leave(self) {
        if let Some(go) = self.to.try_update(Option::take).flatten() {
            forget(TYPED);
            go.run(());
        }
    }

    /// Asks before one step back or forward, too: the browser tells of it before it is taken.
    fn keep_steps(self) {
        let listener = Closure::<dyn Fn(web_sys::Event)>::new(move |event: web_sys::Event| {
            // Fails only where a step is told in another way, and cannot be stopped.
            let _ = self.hold(&event);
        });
        if let Some(steps) = steps().dyn_ref::<web_sys::EventTarget>() {
            let listener = listener.as_ref().unchecked_ref();
            // Fails only for a listener that is none.
            let _ = steps.add_event_listener_with_callback("navigate", listener);
        }
        // As long as the program.
        listener.forget();
    }

    /// Holds up a step by which something is lost, and asks.
    fn hold(self, event: &web_sys::Event) -> Result<(), JsValue> {
        if !event.cancelable() || of(event, "navigationType")? != "traverse" {
            return Ok(());
        }
        let to = of(event, "destination")?;
        let (address, key) = (of(&to, "url")?.as_string(), of(&to, "key")?.as_string());
        let (address, key) = (address.unwrap_or_default(), key.unwrap_or_default());
        let address = strip_base_path(&address.replace(&location().origin()?, ""));
        if !loses(&address, true) {
            return Ok(());
        }
        if ASKS.get() {
            event.prevent_default();
            self.to.set(Some(Callback::new(move |()| {
                // Fails only for a step that is not there any more.
                let _ = take(&key);
            })));
        } else if !is_given_up() {
            event.prevent_default();
        }
        Ok(())
    }

    /// Whether anything was ever written: then the question is loaded. Tracked.
    pub(crate) fn is_needed(self) -> bool {
        self.written.get()
    }
}

/// Asks whether to leave what is written: the first sight does without it.
#[component]
pub(crate) fn Leave() -> impl IntoView {
    ASKS.set(true);
    let leaving = Leaving::here();
    let to = leaving.to;
    let open = Signal::derive(move || to.with(Option::is_some));
    let close = Callback::new(move |()| to.set(None));
    view! {
        <Box open=open close=close title=text::leave_ask()>
            <p>{text::leave_why()}</p>
            <div class="row">
                <button type="button" class="button" on:click=move |_| close.run(())>{text::stay()}</button>
                <button type="button" class="button danger" on:click=move |_| leaving.leave()>{text::leave()}</button>
            </div>
        </Box>
    }
}

fn of(what: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    Reflect::get(what, &name.into())
}

/// The steps that can be taken, in a browser that tells of them.
fn steps() -> JsValue {
    of(&window(), "navigation").unwrap_or_default()
}

/// Takes the step of this key.
fn take(key: &str) -> Result<(), JsValue> {
    let steps = steps();
    let take: Function = of(&steps, "traverseTo")?.dyn_into()?;
    take.call1(&steps, &key.into()).map(|_| ())
}
