//! Addresses of the dashboard, which may lie below a folder of its origin.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, MouseEvent};

/// Base path of the dashboard: empty at the root, else `/folder`. The demo's page in a folder declares it in its HTML.
pub(crate) fn base_path() -> String {
    document()
        .document_element()
        .and_then(|page| page.get_attribute("data-root"))
        .unwrap_or_default()
}

/// The path within the dashboard, without the base path.
pub(crate) fn strip_base_path(address: &str) -> String {
    let inside = address.strip_prefix(&base_path()).unwrap_or(address);
    if inside.starts_with('/') {
        inside.to_owned()
    } else {
        format!("/{inside}")
    }
}

/// Dashboard path of a clicked link; none if the browser should handle the click itself.
pub(crate) fn link_target(event: &MouseEvent) -> Option<String> {
    let other = event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key();
    if event.default_prevented() || event.button() != 0 || other {
        return None;
    }
    let link = event.target()?.dyn_into::<Element>().ok()?;
    let link = link.closest("a[href^='/']").ok().flatten()?;
    let leaves = link
        .matches("[target], [download], [rel~=external]")
        .unwrap_or_default();
    let to = link.get_attribute("href").filter(|_| !leaves)?;
    Some(strip_base_path(&to))
}
