//! Builds the npm package: a wasm per entry, and JavaScript by its own build script.

use crate::Result;
use crate::product::Product;
use crate::wasm::{Goal, Module};
use crate::workspace::Workspace;
use crate::{file, npm, process, tools, wasm};

/// One wasm per entry; each is a feature of the crate. The first takes longest, with its own profile, and is built in parallel with
/// the dashboard.
const WASMS: [&str; 3] = ["sandbox", "client", "webhooks"];

/// Inputs of the package.
const SOURCES: [&str; 6] = [
    "core",
    "service",
    "pkg",
    "web/embed",
    "xtask/src/package.rs",
    "xtask/src/wasm.rs",
];

/// Whether the npm package exists.
pub(crate) fn exists(workspace: &Workspace) -> bool {
    npm::has_lock(workspace, "pkg")
}

/// Builds `pkg/dist` unless it is up to date.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    if !exists(workspace) {
        return Ok(());
    }
    // Its tests and checks need them, too.
    npm::install(workspace, "pkg")?;
    let product = Product::new(workspace, "package", "pkg/dist", &SOURCES)?;
    if product.is_there()? {
        return Ok(());
    }
    tools::wasm_target()?;
    tools::WASM_BINDGEN.install(workspace)?;
    println!("Building the npm package (a minute or two the first time).");
    let folder = product.folder().join("wasm");
    file::create_folder(&folder)?;
    for name in WASMS {
        let module = Module {
            package: "settlekit-js",
            features: &[name],
            sqlite: name == "sandbox",
            goal: match name {
                "sandbox" => Goal::Speed,
                "client" => Goal::Client,
                _ => Goal::Size,
            },
            name,
        };
        wasm::build(workspace, &module, &folder)?;
    }
    process::run(&mut npm::script(workspace, "pkg", "build"))?;
    product.keep()
}
