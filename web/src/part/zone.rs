//! Whether moments are told in the reader's own zone or in UTC.

use leptos::prelude::*;

/// Where the choice is kept.
const KEY: &str = "settlekit.utc";

/// Whether UTC is chosen.
pub(crate) fn utc() -> bool {
    let storage = window().local_storage().ok().flatten();
    storage
        .and_then(|storage| storage.get_item(KEY).ok().flatten())
        .is_some()
}

/// Chooses; the page begins anew, since every moment on it is told differently from then on.
pub(crate) fn choose(utc: bool) {
    if let Ok(Some(storage)) = window().local_storage() {
        // A browser that keeps nothing stays in the reader's own zone.
        let _ = if utc {
            storage.set_item(KEY, "1")
        } else {
            storage.remove_item(KEY)
        };
    }
    // Fails only where a page may not reload itself.
    let _ = window().location().reload();
}
