//! Addresses of the dashboard, which may lie below a folder of its origin.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, MouseEvent};

/// Where the dashboard lies on its origin: nothing at the root, else `/folder`. The page of a demo that lies in a folder
/// says so before the program is there.
pub(crate) fn base_path() -> String {
    document()
        .document_element()
        .and_then(|page| page.get_attribute("data-root"))
        .unwrap_or_default()
}

/// An address of the origin as one of the dashboard, which knows no folder.
pub(crate) fn strip_base_path(address: &str) -> String {
    let inside = address.strip_prefix(&base_path()).unwrap_or(address);
    if inside.starts_with('/') {
        inside.to_owned()
    } else {
        format!("/{inside}")
    }
}

/// The address of the dashboard that a click leads to; none where the browser is to do what it does by itself.
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
