//! Theme: light, dark, or the system's. `web/boot/first.js` applies the stored choice before the first paint.

use leptos::prelude::*;

use crate::detached_signal::DetachedSignal;
use crate::local_storage;
use crate::text;
use crate::ui::{Icon, icon};

/// Local storage key of the theme; also used by `web/boot/first.js`.
const KEY: &str = "settlekit.theme";

/// Local storage key of the contrast; also used by `web/boot/first.js`.
const CONTRAST: &str = "settlekit.contrast";

fn choices() -> [(&'static str, &'static str, Icon); 3] {
    [
        ("auto", text::theme_auto(), Icon::Screen),
        ("light", text::theme_light(), Icon::Sun),
        ("dark", text::theme_dark(), Icon::Moon),
    ]
}

fn stored() -> String {
    local_storage::get(KEY).unwrap_or_else(|| "auto".to_owned())
}

thread_local! {
    // Shared, because a page may show the switch more than once.
    static CHOSEN: ArcRwSignal<String> = ArcRwSignal::new(stored());
}

fn apply(choice: &str) {
    local_storage::set(KEY, choice);
    if let Some(root) = document().document_element() {
        let _ = if choice == "auto" {
            root.remove_attribute("data-theme")
        } else {
            root.set_attribute("data-theme", choice)
        };
    }
}

/// Whether high contrast is on.
pub(crate) fn contrast() -> bool {
    local_storage::is_set(CONTRAST)
}

pub(crate) fn set_contrast(more: bool) {
    local_storage::set_flag(CONTRAST, more);
    if let Some(root) = document().document_element() {
        let _ = if more {
            root.set_attribute("data-contrast", "more")
        } else {
            root.remove_attribute("data-contrast")
        };
    }
}

#[component]
pub(crate) fn Theme(
    /// Whether to show labels beside the icons.
    #[prop(optional)]
    words: bool,
) -> impl IntoView {
    let chosen = DetachedSignal::from(CHOSEN.with(Clone::clone));
    view! {
        <div class="segments" role="group" aria-label=text::theme()>
            {choices().map(|(value, label, picture)| view! {
                <button
                    type="button"
                    aria-label=label
                    title=label
                    aria-pressed=move || chosen.with(|chosen| if chosen == value { "true" } else { "false" })
                    on:click=move |_| { apply(value); chosen.set(value.to_owned()); }
                >{icon(picture)}{words.then_some(label)}</button>
            })}
        </div>
    }
}
