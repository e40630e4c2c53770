//! The pressed and the focused element, and restoring the focus when the focused element is disabled, removed or on another page.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement};

/// The focused element, if any.
pub(crate) fn focused() -> Option<HtmlElement> {
    let element = document().active_element()?;
    // Browsers report the body if nothing is focused.
    let lost = element.tag_name() == "BODY";
    (!lost).then(|| element.unchecked_into())
}

/// The element that an event happened in.
pub(crate) fn target_of(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// Focuses the first match of a selector. Returns whether there is one.
pub(crate) fn focus(selector: &str) -> bool {
    focus_element(document().query_selector(selector).ok().flatten())
}

/// Focuses the first match of a selector inside an element. Returns whether there is one.
pub(crate) fn focus_inside(element: &Element, selector: &str) -> bool {
    focus_element(element.query_selector(selector).ok().flatten())
}

fn focus_element(found: Option<Element>) -> bool {
    found.is_some_and(|element| element.unchecked_into::<HtmlElement>().focus().is_ok())
}

/// After the next frame, restores the focus to `before` unless something else has it. If that fails, focuses the open record, else
/// the page.
pub(crate) fn restore_focus(before: Option<HtmlElement>) {
    request_animation_frame(move || {
        if focused().is_some() {
            return;
        }
        if let Some(before) = before.filter(|before| before.is_connected()) {
            // An unfocusable element is handled below.
            let _ = before.focus();
        }
        if focused().is_none() {
            focus(".veil:popover-open .drawer, #main");
        }
    });
}
