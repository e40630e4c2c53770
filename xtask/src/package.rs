//! The npm package: its wasm by cargo and wasm-bindgen, its JavaScript by TypeScript.

use crate::Result;
use crate::npm;
use crate::place::Place;

/// True once the package's room has a manifest for npm.
pub(crate) fn exists(place: &Place) -> bool {
    npm::has_lock(place, "pkg")
}

/// Builds `pkg/dist`, unless what is there was built from the same sources.
pub(crate) fn build(place: &Place) -> Result<()> {
    if !exists(place) {
        return Ok(());
    }
    npm::install(place, "pkg")
}
