//! Where the keyboard is. Nobody who goes by keyboard is thrown back to the beginning of the page because what had the
//! focus is busy, gone, or on another page.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// What has the focus; none where nothing has.
pub(crate) fn focused() -> Option<HtmlElement> {
    let element = document().active_element()?;
    // Without one, a browser names the body.
    let lost = element.tag_name() == "BODY";
    (!lost).then(|| element.unchecked_into())
}

/// Gives the focus to the first of what a selector matches; tells whether there is one.
pub(crate) fn focus(selector: &str) -> bool {
    let found = document().query_selector(selector).ok().flatten();
    found.is_some_and(|element| element.unchecked_into::<HtmlElement>().focus().is_ok())
}

/// Once the page is drawn, gives the focus back to what had it, unless something else has it by then. What is gone or
/// cannot take it leaves it to the open record, else to the page.
pub(crate) fn restore_focus(before: Option<HtmlElement>) {
    request_animation_frame(move || {
        if focused().is_some() {
            return;
        }
        if let Some(before) = before.filter(|before| before.is_connected()) {
            // What cannot take it is seen below.
            let _ = before.focus();
        }
        if focused().is_none() {
            focus(".veil:popover-open .drawer, #main");
        }
    });
}
