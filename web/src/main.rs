//! The Settlekit dashboard, entirely in the browser.
//!
//! Pages are made of components and filled by calls of core's operations. No rule of validation, no path, no header name and
//! no arithmetic on amounts belongs here; the API key never enters the browser.

#![allow(
    unreachable_pub,
    reason = "the component macro writes `pub` on what it makes"
)]

mod address;
mod api;
mod app;
mod call_failure;
mod detached_signal;
mod form;
mod lazy_pages;
mod list;
mod local_storage;
mod page;
mod query_errors;
mod record;
mod remote;
mod session;
mod shell;
mod text;
mod ui;

fn main() {
    console_error_panic_hook::set_once();
    ui::paint::keep_input_order(ui::overlay::suppress_double_clicks);
    // The spawner of leptos is there once something is mounted.
    wasm_bindgen_futures::spawn_local(async {
        if let Some(file) = text::file() {
            text::load(&api::file(file).await.unwrap_or_default());
        }
        leptos::mount::mount_to_body(app::App);
    });
}
