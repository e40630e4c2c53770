//! Light, dark, or as the system says. `web/boot/theme.js` applies the stored choice before the first paint.

use leptos::prelude::*;

use crate::part::icon::{Icon, icon};
use crate::text;

/// Where the choice is kept; `web/boot/theme.js` reads the same name.
const KEY: &str = "settlekit.theme";

const CHOICES: [(&str, &str, Icon); 3] = [
    ("auto", text::THEME_AUTO, Icon::Screen),
    ("light", text::THEME_LIGHT, Icon::Sun),
    ("dark", text::THEME_DARK, Icon::Moon),
];

fn stored() -> String {
    let storage = window().local_storage().ok().flatten();
    storage
        .and_then(|storage| storage.get_item(KEY).ok().flatten())
        .unwrap_or_else(|| "auto".to_owned())
}

fn apply(choice: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        // A browser that keeps nothing still shows the choice until the page is closed.
        let _ = storage.set_item(KEY, choice);
    }
    if let Some(root) = document().document_element() {
        let _ = if choice == "auto" {
            root.remove_attribute("data-theme")
        } else {
            root.set_attribute("data-theme", choice)
        };
    }
}

/// The choice of theme.
#[component]
pub(crate) fn Theme() -> impl IntoView {
    let chosen = RwSignal::new(stored());
    view! {
        <div class="segments" role="group" aria-label=text::THEME>
            {CHOICES.map(|(value, label, picture)| view! {
                <button
                    type="button"
                    aria-label=label
                    title=label
                    aria-pressed=move || chosen.with(|chosen| if chosen == value { "true" } else { "false" })
                    on:click=move |_| { apply(value); chosen.set(value.to_owned()); }
                >{icon(picture)}</button>
            })}
        </div>
    }
}
