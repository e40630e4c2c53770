//! Product name and logo.

use leptos::prelude::*;

use crate::text;

/// Logo: two lines of unequal length meeting in the middle, an account and its counter-account.
fn mark() -> impl IntoView {
    view! {
        <svg class="brand-mark" viewBox="0 0 24 24" aria-hidden="true">
            <rect x="1" y="1" width="22" height="22" rx="6" fill="currentColor" />
            <path d="M7 9.5h7.5M17 14.5H9.5" fill="none" stroke="var(--on-accent)" stroke-width="2.2" stroke-linecap="round" />
        </svg>
    }
}

#[component]
pub(crate) fn Brand(#[prop(into)] below: Signal<String>) -> impl IntoView {
    view! { <span class="brand">{mark()}<span class="brand-text">{text::product()}<small>{below}</small></span></span> }
}
