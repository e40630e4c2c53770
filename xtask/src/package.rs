//! The npm package: its wasm by cargo, wasm-bindgen and binaryen, its JavaScript by its own build script.

use std::fs;

use crate::Result;
use crate::digest::{Digest, Stamp};
use crate::place::Place;
use crate::{npm, process, tools};

/// One wasm per entry; each is a feature of the crate.
const WASMS: [&str; 3] = ["client", "webhooks", "sandbox"];

/// Everything that can change what is shipped.
const SOURCES: [&str; 7] = [
    "core",
    "service",
    "pkg",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    "xtask/src/package.rs",
];

/// True once the package's room has a manifest for npm.
pub(crate) fn exists(place: &Place) -> bool {
    npm::has_lock(place, "pkg")
}

/// Builds `pkg/dist`, unless what is there was built from the same sources.
pub(crate) fn build(place: &Place) -> Result<()> {
    if !exists(place) {
        return Ok(());
    }
    let mut digest = Digest::new();
    for source in SOURCES {
        digest.path(&place.root, source)?;
    }
    let package = place.root.join("pkg");
    let stamp = Stamp::new(place.root.join("target/xtask/package"), &digest);
    if stamp.is_current() && package.join("dist/index.js").is_file() {
        return Ok(());
    }
    tools::wasm_target()?;
    tools::wasm_bindgen(place)?;
    npm::install(place, "pkg")?;
    println!("Building the npm package (a minute or two the first time).");
    let folder = package.join("dist/wasm");
    fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    for wasm in WASMS {
        let mut cargo = place.command("cargo");
        cargo.args([
            "build",
            "--quiet",
            "--package",
            "settlekit-js",
            "--target",
            "wasm32-unknown-unknown",
        ]);
        if wasm == "sandbox" {
            // SQLite is C.
            tools::clang()?.serve(&mut cargo);
        }
        process::run(cargo.args(["--profile", "wasm", "--features", wasm]))?;
        let built = place
            .target
            .join("wasm32-unknown-unknown/wasm/settlekit_js.wasm");
        let mut bindgen = place.command("wasm-bindgen");
        bindgen.args([
            "--target",
            "web",
            "--no-typescript",
            "--out-name",
            wasm,
            "--out-dir",
        ]);
        process::run(bindgen.arg(&folder).arg(&built))?;
        let bound = folder.join(format!("{wasm}_bg.wasm"));
        let mut optimise = place.command("node_modules/.bin/wasm-opt");
        process::run(
            optimise
                .current_dir(&package)
                .arg("-Oz")
                .arg(&bound)
                .arg("-o")
                .arg(&bound),
        )?;
    }
    process::run(
        place
            .command("npm")
            .current_dir(&package)
            .args(["run", "--silent", "build"]),
    )?;
    stamp.set()
}
