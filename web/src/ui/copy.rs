//! Copying to the clipboard, and ids shortened in the middle with a copy button.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;

use crate::text;
use crate::ui::element::{Element, element};
use crate::ui::icon::{Icon, icon};
use crate::ui::toast::Toasts;

/// Characters kept at each end of a shortened id.
const HEAD: usize = 10;
const TAIL: usize = 6;

/// `pay_019aa0…8c9e01`: omits the middle if it is long enough.
pub(crate) fn shortened(id: &str) -> String {
    let count = id.chars().count();
    if count <= HEAD + TAIL + 3 {
        return id.to_owned();
    }
    let head: String = id.chars().take(HEAD).collect();
    let tail: String = id.chars().skip(count - TAIL).collect();
    format!("{head}…{tail}")
}

/// Copies a text and reports the result, which is returned too; `what` names the text.
pub(crate) async fn copy(toasts: Toasts, text: &str, what: &str) -> bool {
    let promise = window().navigator().clipboard().write_text(text);
    let done = wasm_bindgen_futures::JsFuture::from(promise).await.is_ok();
    if done {
        toasts.say(text::copied(what));
    } else {
        toasts.warn(text::copy_blocked().to_owned());
    }
    done
}

/// Shows on a copy button whether it was just used. Without reactivity: lists have hundreds of these buttons, and each would need
/// its own signal.
fn show_copied(button: &web_sys::Element, done: bool) {
    // These fail only for invalid names.
    let _ = button.class_list().toggle_with_force("done", done);
    if let Ok(Some(path)) = button.query_selector(".icon path") {
        let picture = if done { Icon::Check } else { Icon::Copy };
        let _ = path.set_attribute("d", picture.path());
    }
}

/// A button that copies `text`; `what` names it for the announcement.
#[component]
pub(crate) fn CopyButton(
    #[prop(into)] text: String,
    #[prop(into)] what: String,
    /// Label, if the icon alone is unclear.
    #[prop(optional)]
    words: &'static str,
) -> impl IntoView {
    copy_button(text, &what, words)
}

fn copy_button(text: String, what: &str, words: &'static str) -> Element {
    let class = if words.is_empty() {
        "copy"
    } else {
        "button small push"
    };
    copy_button_as(class, text, what, words)
}

/// A labelled copy button in a row of actions.
pub(crate) fn copy_act(text: String, what: &str, words: &'static str) -> Element {
    copy_button_as("button", text, what, words)
}

fn copy_button_as(class: &'static str, text: String, what: &str, words: &'static str) -> Element {
    let toasts = Toasts::from_context();
    let label = text::copy_of(what);
    let what = what.to_owned();
    let press = move |event: web_sys::MouseEvent| {
        event.stop_propagation();
        let button = event.current_target();
        let button = button.and_then(|button| button.dyn_into::<web_sys::Element>().ok());
        let (text, what) = (text.clone(), what.clone());
        spawn_local(async move {
            if copy(toasts, &text, &what).await
                && let Some(button) = button
            {
                show_copied(&button, true);
                gloo_timers::future::TimeoutFuture::new(1_600).await;
                show_copied(&button, false);
            }
        });
    };
    element("button", class)
        .attr("type", "button")
        .optional_attr("aria-label", words.is_empty().then(|| label.clone()))
        .attr("title", label)
        .child(icon(Icon::Copy))
        .words(words)
        .on_click(press)
}

/// An id or hash, shortened in the middle, complete on hover, with a copy button.
#[component]
pub(crate) fn Id(#[prop(into)] id: String, #[prop(into)] what: String) -> impl IntoView {
    let short = element("span", "")
        .attr("title", id.clone())
        .words(shortened(&id));
    element("span", "id")
        .child(short)
        .child(copy_button(id, &what, ""))
}

/// Opens a page outside the dashboard in a new tab, which learns nothing of this one.
pub(crate) fn outside_link(href: String) -> Element {
    element("a", "copy")
        .attr("href", href)
        .attr("target", "_blank")
        .attr("rel", "noopener noreferrer")
        .attr("aria-label", text::view_in_explorer())
        .attr("title", text::view_in_explorer())
        .child(icon(Icon::Leave))
}

/// A complete id with line breaks and a copy button.
#[component]
pub(crate) fn WholeId(#[prop(into)] id: String, #[prop(into)] what: String) -> impl IntoView {
    element("span", "id")
        .child(element("span", "whole-id").words(id.clone()))
        .child(copy_button(id, &what, ""))
}
