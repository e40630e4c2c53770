//! The browser's local storage: preferences and, during a session, recent records. Never secrets.
//!
//! Storage may be unavailable; preferences then last until the page is closed.

use leptos::prelude::window;
use serde_json::{Map, Value};
use web_sys::Storage;

/// Key of recent records; removed at the end of the session, because it contains customer names.
pub(crate) const RECENT: &str = "settlekit.recent";

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

pub(crate) fn is_available() -> bool {
    storage().is_some()
}

pub(crate) fn get(name: &str) -> Option<String> {
    storage()?.get_item(name).ok().flatten()
}

pub(crate) fn is_set(name: &str) -> bool {
    get(name).is_some()
}

pub(crate) fn set_flag(name: &str, so: bool) {
    if so { set(name, "1") } else { remove(name) }
}

pub(crate) fn set(name: &str, value: &str) {
    if let Some(storage) = storage() {
        // Fails if storage is unavailable or full.
        let _ = storage.set_item(name, value);
    }
}

pub(crate) fn remove(name: &str) {
    if let Some(storage) = storage() {
        // Removing cannot fail.
        let _ = storage.remove_item(name);
    }
}

/// A stored JSON object; empty if there is none.
pub(crate) fn object(name: &str) -> Map<String, Value> {
    let stored = get(name).and_then(|text| serde_json::from_str(&text).ok());
    stored.unwrap_or_default()
}
