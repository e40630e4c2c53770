//! A panel with a title.

use leptos::prelude::*;

/// Title, an optional explanation, and contents.
#[component]
pub(crate) fn Panel(
    title: &'static str,
    #[prop(optional)] why: &'static str,
    /// Class of the contents.
    #[prop(default = "panel-body")]
    class: &'static str,
    children: Children,
) -> impl IntoView {
    view! {
        <section class="panel">
            <div class="panel-head"><h2>{title}</h2>{(!why.is_empty()).then(|| view! { <p>{why}</p> })}</div>
            <div class=class>{children()}</div>
        </section>
    }
}
