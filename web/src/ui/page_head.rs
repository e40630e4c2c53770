//! Head of a page: title, lead and actions.

use leptos::prelude::*;

#[component]
pub(crate) fn PageHead(
    #[prop(into)] title: String,
    #[prop(optional)] lead: &'static str,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    document().set_title(&crate::text::title(&title));
    view! {
        <header class="page-head">
            <div class="page-title">
                <h1>{title}</h1>
                {(!lead.is_empty()).then(|| view! { <p class="lead">{lead}</p> })}
            </div>
            {children.map(|children| view! { <div class="actions row">{children()}</div> })}
        </header>
    }
}
