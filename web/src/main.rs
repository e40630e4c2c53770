//! The Settlekit dashboard, entirely in the browser.
//!
//! Pages are built of components and load data by core's operations. Validation rules, paths, header names and arithmetic on
//! amounts belong to core. API keys never enter the browser.
//!
//! Layers, lowest first: `text`, `address` and other leaves; `ui` (pure components); `api` and `session`; `shell` (navigation,
//! palette, session lock, live connection); `list`; `record`; `form`; `page`; `app`. A layer names only those below it.

#![allow(
    unreachable_pub,
    reason = "the component macro writes `pub` on what it makes"
)]

mod address;
mod api;
mod app;
mod browser_wallet;
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
    // Leptos sets its spawner when it mounts, so it can't be used yet.
    wasm_bindgen_futures::spawn_local(async {
        if let Some(file) = text::file() {
            text::load(&api::file(file).await.unwrap_or_default());
        }
        leptos::mount::mount_to_body(app::App);
    });
}
