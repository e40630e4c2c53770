//! Builds the npm package: a wasm per entry, and JavaScript by its own build script.

use crate::Result;
use crate::place::Place;
use crate::product::Product;
use crate::wasm::{Goal, Module};
use crate::{file, npm, process, tools, wasm};

/// One wasm per entry; each is a feature of the crate. The first takes longest, with its own profile, and is built in parallel with
/// the dashboard.
const WASMS: [&str; 3] = ["sandbox", "client", "webhooks"];

/// Inputs of the package.
const SOURCES: [&str; 5] = [
    "core",
    "service",
    "pkg",
    "xtask/src/package.rs",
    "xtask/src/wasm.rs",
];

/// Whether the npm package exists.
pub(crate) fn exists(place: &Place) -> bool {
    npm::has_lock(place, "pkg")
}

/// Builds `pkg/dist` unless it is up to date.
pub(crate) fn build(place: &Place) -> Result<()> {
    if !exists(place) {
        return Ok(());
    }
    // Its tests and checks need them, too.
    npm::install(place, "pkg")?;
    let product = Product::new(place, "package", "pkg/dist", &SOURCES)?;
    if product.is_there()? {
        return Ok(());
    }
    tools::wasm_target()?;
    tools::WASM_BINDGEN.install(place)?;
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
        wasm::build(place, &module, &folder)?;
    }
    process::run(&mut npm::script(place, "pkg", "build"))?;
    product.keep()
}
