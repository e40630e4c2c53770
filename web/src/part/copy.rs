//! Copying to the clipboard, and ids shortened in the middle with their copy button.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::part::icon::{Icon, icon};
use crate::part::notice::Toasts;
use crate::text;

/// Characters kept at each end of a shortened id.
const HEAD: usize = 10;
const TAIL: usize = 6;

/// `pay_019aa0…8c9e01`: the middle left out, unless there is too little of it.
pub(crate) fn shortened(id: &str) -> String {
    let count = id.chars().count();
    if count <= HEAD + TAIL + 3 {
        return id.to_owned();
    }
    let head: String = id.chars().take(HEAD).collect();
    let tail: String = id.chars().skip(count - TAIL).collect();
    format!("{head}…{tail}")
}

/// Copies a text, and says whether that went well; `what` names it.
pub(crate) async fn copy(toasts: Toasts, text: &str, what: &str) -> bool {
    let promise = window().navigator().clipboard().write_text(text);
    let done = wasm_bindgen_futures::JsFuture::from(promise).await.is_ok();
    toasts.say(if done {
        text::copied(what)
    } else {
        text::copy_blocked().to_owned()
    });
    done
}

/// A button that copies `text`; `what` names it for the announcement.
#[component]
pub(crate) fn Copy(
    #[prop(into)] text: String,
    #[prop(into)] what: String,
    /// Words on the button, where the picture alone does not say enough.
    #[prop(optional)]
    words: &'static str,
) -> impl IntoView {
    let toasts = Toasts::here();
    let done = RwSignal::new(false);
    let label = text::copy_of(&what);
    let press = move |event: web_sys::MouseEvent| {
        event.stop_propagation();
        let (text, what) = (text.clone(), what.clone());
        spawn_local(async move {
            if copy(toasts, &text, &what).await {
                done.try_set(true);
                gloo_timers::future::TimeoutFuture::new(1_600).await;
                done.try_set(false);
            }
        });
    };
    view! {
        <button
            type="button" class=if words.is_empty() { "copy" } else { "button small push" } class:done=done
            aria-label=words.is_empty().then(|| label.clone()) title=label on:click=press
        >
            {move || icon(if done.get() { Icon::Check } else { Icon::Copy })}{words}
        </button>
    }
}

/// An id or hash, shortened in the middle, whole on hover, with its copy button.
#[component]
pub(crate) fn Id(#[prop(into)] id: String, #[prop(into)] what: String) -> impl IntoView {
    view! {
        <span class="id">
            <span title=id.clone()>{shortened(&id)}</span>
            <Copy text=id what=what />
        </span>
    }
}

/// The whole id, broken where the line ends, with its copy button.
#[component]
pub(crate) fn WholeId(#[prop(into)] id: String, #[prop(into)] what: String) -> impl IntoView {
    view! { <span class="id"><span class="whole-id">{id.clone()}</span><Copy text=id what=what /></span> }
}
