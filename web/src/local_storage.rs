//! What this browser keeps for the reader: choices, views, and, while they are signed in, what they found last. Never a
//! secret.
//!
//! A browser may keep nothing; then a choice holds until the page is closed.

use leptos::prelude::window;
use web_sys::Storage;

/// Where what was found last is kept: forgotten when the session ends, as it names customers.
pub(crate) const RECENT: &str = "settlekit.recent";

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// Whether anything can be kept.
pub(crate) fn is_available() -> bool {
    storage().is_some()
}

/// What is kept under a name.
pub(crate) fn get(name: &str) -> Option<String> {
    storage()?.get_item(name).ok().flatten()
}

/// Whether something is kept under a name.
pub(crate) fn is_set(name: &str) -> bool {
    get(name).is_some()
}

/// Keeps that something is so, or no longer.
pub(crate) fn set_flag(name: &str, so: bool) {
    if so { set(name, "1") } else { remove(name) }
}

/// Keeps a value under a name.
pub(crate) fn set(name: &str, value: &str) {
    if let Some(storage) = storage() {
        // Refused by a browser that keeps nothing or is full.
        let _ = storage.set_item(name, value);
    }
}

/// Keeps nothing under a name any more.
pub(crate) fn remove(name: &str) {
    if let Some(storage) = storage() {
        // There is nothing that could be refused about it.
        let _ = storage.remove_item(name);
    }
}
