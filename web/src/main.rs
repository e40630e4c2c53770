//! The Settlekit dashboard, entirely in the browser.
//!
//! Pages are made of parts and filled by calls of core's operations. No rule of validation, no path, no header name and
//! no arithmetic on amounts belongs here; the API key never enters the browser.

#![allow(
    unreachable_pub,
    reason = "the component macro writes `pub` on what it makes"
)]

mod api;
mod app;
mod chunk;
mod form;
mod kept;
mod lasting;
mod live;
mod load;
mod page;
mod part;
mod place;
mod session;
mod text;

fn main() {
    console_error_panic_hook::set_once();
    part::paint::keep_order();
    // The spawner of leptos is there once something is mounted.
    wasm_bindgen_futures::spawn_local(async {
        text::load().await;
        leptos::mount::mount_to_body(app::App);
    });
}
