//! Keyboard shortcuts: global keys, their list, and the setting for single keys.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::local_storage;
use crate::shell::session_lock::is_covered;
use crate::text;
use crate::ui::{Checkbox, focus, focused, is_any_open, is_dialog_open, target_of};

/// Local storage key of the setting.
const KEYS_OFF: &str = "settlekit.keys-off";

/// Selector of the fields and buttons of filters. Those that are not shown take no focus.
const FILTERS: &str = ".filters > .filter :is(input, select), .add-filter:not([hidden]) > button";

pub(crate) fn single_keys_off() -> bool {
    local_storage::is_set(KEYS_OFF)
}

/// Handles global keys: `/` focuses the first filter or row, `?` shows help; not while the user types or a dialog is open.
///
/// Ctrl or Cmd with K always opens the palette; `[` and `]` move to the previous or next record while one is open.
pub(crate) fn listen(help: RwSignal<bool>, palette: RwSignal<bool>) {
    let listener = window_event_listener(leptos::ev::keydown, move |event| {
        if is_covered() {
            return;
        }
        let with_other = event.ctrl_key() || event.meta_key();
        if with_other && event.key().eq_ignore_ascii_case("k") {
            event.prevent_default();
            palette.update(|open| *open = !*open);
            return;
        }
        let target = target_of(&event);
        let is_in = |selector: &str| {
            let target = target.as_ref();
            target.is_some_and(|element| element.matches(selector).unwrap_or_default())
        };
        if matches!(event.key().as_str(), "[" | "]") && !with_other && !single_keys_off() {
            if !is_in("input, select, textarea") && !is_dialog_open() {
                open_neighbour(event.key() == "]");
            }
            return;
        }
        if is_in("input, select, textarea, dialog *, .filter-editor *, .filter-menu *")
            || is_any_open()
            || single_keys_off()
            || event.ctrl_key()
            || event.meta_key()
            || event.alt_key()
        {
            return;
        }
        let to_focus = match event.key().as_str() {
            "/" => FILTERS,
            // Rows handle these keys themselves.
            "j" if !event.default_prevented() => ".table tr[tabindex]",
            "ArrowDown" if focused().is_none_or(|element| element.id() == "main") => {
                ".table tr[tabindex]"
            }
            "?" => {
                help.set(true);
                return;
            }
            "n" => return turn_page("next"),
            "p" => return turn_page("previous"),
            _ => return,
        };
        if focus(to_focus) {
            event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
}

/// Goes to the previous or next page of the list, if there is one.
fn turn_page(which: &str) {
    let button = document().query_selector(&format!(".page .pager button[name='{which}']:enabled"));
    if let Some(button) = button.ok().flatten() {
        button.unchecked_into::<web_sys::HtmlElement>().click();
    }
}

/// Opens the next or previous record of the list.
fn open_neighbour(after: bool) {
    if let Some(row) = neighbour(after).and_then(|row| row.dyn_into::<web_sys::HtmlElement>().ok())
    {
        row.click();
    }
}

/// The row next to the open record. If an update has removed that record from the list, its former row counts.
fn neighbour(after: bool) -> Option<web_sys::Element> {
    let find = |selector: &str| document().query_selector(selector).ok().flatten();
    if let Some(row) = find("tr[aria-selected='true']") {
        return if after {
            row.next_element_sibling()
        } else {
            row.previous_element_sibling()
        };
    }
    let row = find("[data-open-row]")?.get_attribute("data-open-row")?;
    // CSS counts rows from 1: without 1 more this is the row before.
    let row = row.parse::<usize>().ok()? + usize::from(after);
    find(&format!("[data-open-row] > tbody > :nth-child({row})"))
}

/// List of shortcuts and the setting for single keys; lazily loaded.
#[component]
pub(crate) fn ShortcutList() -> impl IntoView {
    view! {
        <dl class="keys">
            {text::key_list().map(|(key, meaning)| view! { <dt><kbd>{key}</kbd></dt><dd>{meaning}</dd> })}
        </dl>
        <SingleKeysSwitch />
    }
}

#[component]
pub(crate) fn SingleKeysSwitch() -> impl IntoView {
    let off = RwSignal::new(single_keys_off());
    Effect::new(move |_| local_storage::set_flag(KEYS_OFF, off.get()));
    view! { <Checkbox label=text::keys_off() value=off /> }
}
