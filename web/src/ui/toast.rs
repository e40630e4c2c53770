//! Toasts: short messages in the page's live region.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::call_failure::CallFailure;
use crate::text;
use crate::ui::icon::{Icon, icon};

/// Duration of a toast, in milliseconds.
const TOAST_MS: u32 = 3_500;

/// The page's live region for short messages.
#[derive(Clone, Copy)]
pub(crate) struct Toasts(RwSignal<Vec<(u32, Toast)>>);

/// Text of a toast, and whether it is a failure, which stays until dismissed.
type Toast = (String, bool);

impl Toasts {
    /// Provides the region, once at the root.
    pub(crate) fn provide() {
        provide_context(Self(RwSignal::new(Vec::new())));
    }

    pub(crate) fn from_context() -> Self {
        expect_context()
    }

    /// Shows a message for a few seconds.
    pub(crate) fn say(self, text: String) {
        self.pass(text, false);
    }

    fn pass(self, text: String, failed: bool) {
        let number = self.add(text, failed);
        spawn_local(async move {
            gloo_timers::future::TimeoutFuture::new(TOAST_MS).await;
            self.remove(number);
        });
    }

    /// Shows a result; it stays if something failed.
    pub(crate) fn show_result(self, text: String, failed: bool) {
        if failed {
            self.add(text, true);
        } else {
            self.say(text);
        }
    }

    /// Shows for a few seconds that something was not done.
    pub(crate) fn warn(self, text: String) {
        self.pass(text, true);
    }

    /// Shows a failure that has no better place.
    pub(crate) fn fail(self, failure: CallFailure) {
        let (sentence, english) = failure.sentences();
        let mut text = failure.title().to_owned() + ": " + &sentence + " " + &english;
        if let Some(id) = failure.request_id {
            text.push(' ');
            text.push_str(&text::request_of(&id));
        }
        self.add(text, true);
    }

    fn add(self, text: String, failed: bool) -> u32 {
        let number = self
            .0
            .with_untracked(|toasts| toasts.last().map_or(0, |(number, _)| number + 1));
        self.0
            .update(|toasts| toasts.push((number, (text, failed))));
        number
    }

    fn remove(self, number: u32) {
        self.0
            .update(|toasts| toasts.retain(|(other, _)| *other != number));
    }
}

#[component]
pub(crate) fn ToastRegion() -> impl IntoView {
    let toasts = Toasts::from_context();
    let element = NodeRef::<leptos::html::Div>::new();
    // Reopen the popover, so that it is above an open dialog.
    Effect::new(move |_| {
        let some = toasts.0.with(|toasts| !toasts.is_empty());
        if let Some(region) = element.get() {
            // These fail only if it is already in that state.
            let _ = region.hide_popover();
            if some {
                let _ = region.show_popover();
            }
        }
    });
    view! {
        <div class="toasts" role="status" aria-live="polite" popover="manual" node_ref=element>
            <For each=move || toasts.0.get() key=|(number, _)| *number let((number, (text, failed)))>
                <div class="toast">
                    {icon(if failed { Icon::Alert } else { Icon::Check })}
                    <span>{text}</span>
                    {failed.then(|| view! {
                        <button type="button" class="copy" aria-label=text::close() on:click=move |_| toasts.remove(number)>{icon(Icon::Close)}</button>
                    })}
                </div>
            </For>
        </div>
    }
}
