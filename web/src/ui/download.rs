//! Downloading a file that was made on this page.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

/// Saves a text as a file of this name, as a download does.
pub(crate) fn save(name: &str, kind: &str, text: &str) {
    // Only a browser without files fails here, and there is nothing to hand over in it.
    let _ = hand_over(name, kind, text);
}

fn hand_over(name: &str, kind: &str, text: &str) -> Result<(), JsValue> {
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let blob = web_sys::Blob::new_with_str_sequence_and_options(&parts, &options)?;
    let url = web_sys::Url::create_object_url_with_blob(&blob)?;
    let link: web_sys::HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    // The browser has taken the file over by the time this runs.
    set_timeout(
        move || {
            let _ = web_sys::Url::revoke_object_url(&url);
        },
        std::time::Duration::from_secs(10),
    );
    Ok(())
}
