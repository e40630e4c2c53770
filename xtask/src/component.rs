//! Builds the core as a WebAssembly component.

use crate::Result;
use crate::digest::{Digest, Stamp};
use crate::place::Place;
use crate::wasm::{Goal, Module};
use crate::{file, npm, process, tools, wasm};

/// All inputs of the component.
const SOURCES: [&str; 12] = [
    ".cargo/config.toml",
    "core",
    "pkg/calls",
    "pkg/forms",
    "component/Cargo.toml",
    "component/src",
    "component/wit",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    "xtask/src/component.rs",
    "xtask/src/wasm.rs",
];

/// Builds `component/dist/settlekit-core.wasm` unless it is up to date.
pub(crate) fn build(place: &Place) -> Result<()> {
    let digest = Digest::of(&place.root, &SOURCES)?;
    let folder = place.root.join("component/dist");
    let component = folder.join("settlekit-core.wasm");
    let stamp = Stamp::new(place.root.join("target/xtask/component"), &digest);
    if stamp.is_current() && component.is_file() {
        return Ok(());
    }
    tools::wasm_target()?;
    npm::install(place, "pkg")?;
    println!("Building the component (a minute the first time).");
    let module = Module {
        package: "settlekit-component",
        features: &[],
        sqlite: false,
        goal: Goal::Size,
        name: "settlekit-core",
    };
    let built = wasm::compile(place, &module)?;
    file::create_folder(&folder)?;
    wasm::optimise(place, module.goal, &built, &component)?;
    let mut encoder = place.command("cargo");
    encoder.args(["run", "--quiet", "--package", module.package]);
    encoder.args([
        "--features",
        "encoder",
        "--bin",
        "settlekit-component-encoder",
        "--",
    ]);
    process::run(encoder.arg(&component).arg(&component))?;
    stamp.set()
}
