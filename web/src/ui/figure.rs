//! A figure of a `dl.figures`, with its label.

use leptos::prelude::*;

/// A label and its value; `note` is a line below, such as what the figure is compared with.
pub(crate) fn figure(
    label: &'static str,
    value: impl IntoView + 'static,
    note: Option<AnyView>,
) -> AnyView {
    let note = note.map(|note| view! { <dd class="note">{note}</dd> });
    view! { <div class="figure"><dt>{label}</dt><dd class="value">{value.into_any()}</dd>{note}</div> }
        .into_any()
}
