//! Builds the npm package: a wasm per entry, and JavaScript by its own build script.

use crate::Result;
use crate::digest::{Digest, Stamp};
use crate::place::Place;
use crate::wasm::{Goal, Module};
use crate::{file, npm, process, tools, wasm};

/// One wasm per entry; each is a feature of the crate. The first takes longest, with its own profile, and is built in parallel with
/// the dashboard.
const WASMS: [&str; 3] = ["sandbox", "client", "webhooks"];

/// All inputs of the package.
const SOURCES: [&str; 9] = [
    ".cargo/config.toml",
    "core",
    "service",
    "pkg",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
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
    let digest = Digest::of(&place.root, &SOURCES)?;
    let package = place.root.join("pkg");
    let stamp = Stamp::new(place.root.join("target/xtask/package"), &digest);
    if stamp.is_current() && package.join("dist/index.js").is_file() {
        return Ok(());
    }
    tools::wasm_target()?;
    tools::WASM_BINDGEN.install(place)?;
    npm::install(place, "pkg")?;
    println!("Building the npm package (a minute or two the first time).");
    let folder = package.join("dist/wasm");
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
    stamp.set()
}
