//! Input parts independent of forms: element ids, checkbox, select options.

use leptos::prelude::*;

use crate::text;

/// Element id of a field's input.
pub(crate) fn input_id(name: &str) -> String {
    format!("field-{}", name.replace(['.', '_'], "-"))
}

/// Element id of the hint and errors below it.
pub(crate) fn note_id(name: &str) -> String {
    format!("note-{}", name.replace(['.', '_'], "-"))
}

#[component]
pub(crate) fn Checkbox(
    #[prop(into)] label: String,
    value: RwSignal<bool>,
    #[prop(optional)] name: &'static str,
) -> impl IntoView {
    view! {
        <label class="check">
            <input type="checkbox" name=name prop:checked=value on:change=move |event| value.set(event_target_checked(&event)) />
            <span>{label}</span>
        </label>
    }
}

/// The options of a select: value and label.
pub(crate) type Options = Signal<Vec<(String, String)>>;

/// Contract words as options.
pub(crate) fn options_of(words: &'static [&'static str]) -> Options {
    Signal::stored(
        words
            .iter()
            .map(|word| ((*word).to_owned(), text::words(word)))
            .collect(),
    )
}
