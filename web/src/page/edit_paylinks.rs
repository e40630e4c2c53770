//! Edits several payment links, named in the URL.

use leptos::prelude::*;
use settlekit_core::value::{Param, PaylinkId};

use crate::form::update_paylinks::PaylinksGrid;
use crate::shell::Location;
use crate::text;
use crate::ui::{Empty, Icon, PageHead};

/// URL parameter with the comma-separated ids.
pub(crate) const IDS: &str = "ids";

#[component]
pub(crate) fn EditPaylinks() -> impl IntoView {
    let location = Location::from_context();
    let ids = untrack(|| location.get(IDS)).unwrap_or_default();
    let ids: Vec<PaylinkId> = ids
        .split(',')
        .filter_map(|id| PaylinkId::from_text(id).ok())
        .collect();
    view! {
        <div class="page">
            <PageHead title=text::edit_links() lead=text::edit_links_lead() above=("/paylinks", text::paylinks()) />
            {if ids.is_empty() {
                view! { <section class="panel"><Empty picture=Icon::Link title=text::no_links_picked() hint=text::no_links_picked_why()><a class="button primary" href="/paylinks">{text::paylinks()}</a></Empty></section> }.into_any()
            } else {
                view! { <PaylinksGrid ids=ids /> }.into_any()
            }}
        </div>
    }
}
