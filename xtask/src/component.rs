//! Builds the core as a WebAssembly component.

use crate::Result;
use crate::product::Product;
use crate::wasm::{Goal, Module};
use crate::workspace::Workspace;
use crate::{file, npm, process, tools, wasm};

/// The crate that encodes a module as a component, and runs the component in tests.
pub(crate) const HOST: &str = "settlekit-component-host";

/// Inputs of the component.
const SOURCES: [&str; 9] = [
    "core",
    "pkg/calls",
    "pkg/forms",
    "component/Cargo.toml",
    "component/host/src",
    "component/src",
    "component/wit",
    "xtask/src/component.rs",
    "xtask/src/wasm.rs",
];

/// Builds `component/dist/settlekit-core.wasm` unless it is up to date.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    let product = Product::new(workspace, "component", "component/dist", &SOURCES)?;
    if product.is_there()? {
        return Ok(());
    }
    let component = product.folder().join("settlekit-core.wasm");
    tools::wasm_target()?;
    npm::install(workspace, "pkg")?;
    println!("Building the component (a minute the first time).");
    let module = Module {
        package: "settlekit-component",
        features: &[],
        sqlite: false,
        goal: Goal::Size,
        name: "settlekit-core",
    };
    let built = wasm::compile(workspace, &module)?;
    file::create_folder(product.folder())?;
    wasm::optimise(workspace, module.goal, &built, &component)?;
    let mut encoder = workspace.command("cargo");
    encoder.args(["run", "--quiet", "--package", HOST, "--"]);
    process::run(encoder.arg(&component).arg(&component))?;
    product.keep()
}
