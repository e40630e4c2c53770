//! Head of a page: pages above, title, lead and actions.

use leptos::prelude::*;

use crate::text;
use crate::ui::element::{Element, element};
use crate::ui::icon::{Icon, icon};

#[component]
pub(crate) fn PageHead(
    #[prop(into)] title: String,
    #[prop(optional)] lead: &'static str,
    /// Path and name of the page above.
    #[prop(optional)]
    above: Option<(&'static str, &'static str)>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    document().set_title(&text::title(&title));
    view! {
        {above.map(|(href, name)| breadcrumbs([(href.to_owned(), name.to_owned())]))}
        <header class="page-head">
            <div class="page-title">
                <h1>{title}</h1>
                {(!lead.is_empty()).then(|| view! { <p class="lead">{lead}</p> })}
            </div>
            {children.map(|children| view! { <div class="actions row">{children()}</div> })}
        </header>
    }
}

/// Links to the pages above this one, by path and name, the highest first.
pub(crate) fn breadcrumbs(pages: impl IntoIterator<Item = (String, String)>) -> Element {
    let page = |(href, name): (String, String)| {
        let link = element("a", "").attr("href", href).words(name);
        element("li", "").child(link).child(icon(Icon::Right))
    };
    let list = element("ol", "").children(pages.into_iter().map(page));
    element("nav", "breadcrumbs")
        .attr("aria-label", text::breadcrumbs())
        .child(list)
}
