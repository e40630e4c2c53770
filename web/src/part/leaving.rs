//! Leaving the page while something would be lost by it: what is under way and would stop half done, and what is written
//! and not sent.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::session::Session;

/// A form in which the reader has written something that is not sent yet.
pub(crate) const TYPED: &str = "form[data-typed]";
/// What its mark says from the moment it is to be sent until it is.
const SENT: &str = "form[data-typed=sent]";
/// A form that is sent to the service. Filters are in the address, and what is marked as passing nobody would miss.
const KEPT: &str = "form:not([role=search], [data-passing])";

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

/// Knows from here on in which forms something is written that is not sent yet, and asks before it is lost.
pub(crate) fn keep_typed() {
    let typed = window_event_listener_untyped("input", |event| mark(&event, KEPT, ""));
    let sent = window_event_listener_untyped("submit", |event| mark(&event, TYPED, "sent"));
    on_cleanup(move || {
        typed.remove();
        sent.remove();
    });
    ask_while(|| matches!(document().query_selector(TYPED), Ok(Some(_))));
}

/// What was to be sent has been: nothing of it can be lost any more. The form is found by its mark, for a question or a
/// fresh proof may have stood between its button and this.
pub(crate) fn is_sent() {
    if let Ok(Some(form)) = document().query_selector(SENT) {
        // Fails only for a name that no attribute can have.
        let _ = form.remove_attribute("data-typed");
    }
}
