//! Downloads of files created on this page.

use js_sys::Array;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

/// Downloads a text as a file with this name.
pub(crate) fn save(name: &str, kind: &str, text: &str) {
    // Fails only in a browser without files, where nothing can be done.
    let _ = hand_over(name, kind, &Array::of1(&JsValue::from_str(text)));
}

/// Downloads bytes in parts as a file with this name.
pub(crate) fn save_bytes(name: &str, kind: &str, parts: &[Vec<u8>]) {
    let parts = parts.iter();
    let parts: Array = parts
        .map(|part| js_sys::Uint8Array::from(part.as_slice()))
        .collect();
    // As above.
    let _ = hand_over(name, kind, &parts);
}

/// `parts` are texts or arrays of bytes.
fn hand_over(name: &str, kind: &str, parts: &Array) -> Result<(), JsValue> {
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(kind);
    // The constructor is the same for both.
    let blob = web_sys::Blob::new_with_str_sequence_and_options(parts, &options)?;
    let url = web_sys::Url::create_object_url_with_blob(&blob)?;
    let link: web_sys::HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    // The browser has read the file by then.
    set_timeout(
        move || {
            let _ = web_sys::Url::revoke_object_url(&url);
        },
        std::time::Duration::from_secs(10),
    );
    Ok(())
}
