//! Whether moments are told in the reader's own zone or in UTC.

use leptos::prelude::*;

use crate::kept::{is_kept, keep_whether};

/// Where the choice is kept.
const KEY: &str = "settlekit.utc";

/// Whether UTC is chosen.
pub(crate) fn utc() -> bool {
    is_kept(KEY)
}

/// Chooses; the page begins anew, since every moment on it is told differently from then on.
pub(crate) fn choose(utc: bool) {
    keep_whether(KEY, utc);
    // Fails only where a page may not reload itself.
    let _ = window().location().reload();
}
