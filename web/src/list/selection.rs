//! Selected rows of a list, for bulk actions.

use std::collections::BTreeSet;

use leptos::prelude::*;

use crate::text;
use crate::ui::{Icon, icon};

/// Ids of the selected rows on all pages of the list.
pub(crate) type Selection = RwSignal<BTreeSet<String>>;

pub(crate) fn toggle(selection: Selection, id: &str) {
    selection.update(|selection| {
        if !selection.remove(id) {
            selection.insert(id.to_owned());
        }
    });
}

/// Bar of bulk actions; hidden while no row is selected.
#[component]
pub(crate) fn SelectionBar(selection: Selection, children: ChildrenFn) -> impl IntoView {
    let count = Memo::new(move |_| selection.with(BTreeSet::len));
    view! {
        <Show when=move || { count.get() > 0 }>
            <div class="picked" role="group" aria-label=text::picked()>
                <strong aria-live="polite">{move || text::picked_of(count.get())}</strong>
                {children()}
                <button type="button" class="button small plain push" on:click=move |_| selection.update(BTreeSet::clear)>{icon(Icon::Close)}{text::pick_none()}</button>
            </div>
        </Show>
    }
}
