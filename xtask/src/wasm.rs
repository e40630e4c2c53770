//! Builds a crate as a wasm module for the browser or Node: cargo, wasm-bindgen, binaryen.

use std::path::{Path, PathBuf};

use crate::Result;
use crate::workspace::Workspace;
use crate::{process, tools};

pub(crate) struct Module<'a> {
    pub(crate) package: &'a str,
    pub(crate) features: &'a [&'a str],
    /// Whether it contains SQLite, which is C code.
    pub(crate) sqlite: bool,
    pub(crate) goal: Goal,
    /// File name: `<name>.js` and `<name>_bg.wasm`.
    pub(crate) name: &'a str,
}

/// Optimisation goal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Small, for downloads.
    Size,
    /// Small, with our own code fast.
    Client,
    /// Fast, for tests.
    Speed,
}

impl Goal {
    /// Cargo profile, and the levels of wasm-opt's passes. A second one makes the sandbox 4 KB smaller (gzip).
    fn words(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Size => ("wasm", &["-Oz"]),
            Self::Client => ("client", &["-Oz"]),
            Self::Speed => ("sandbox", &["-O3", "-O3"]),
        }
    }
}

/// Builds a module into a folder, with JavaScript around it.
pub(crate) fn build(workspace: &Workspace, module: &Module, folder: &Path) -> Result<()> {
    let built = compile(workspace, module)?;
    let mut bindgen = workspace.command("wasm-bindgen");
    bindgen.args(["--target", "web", "--no-typescript", "--out-name"]);
    process::run(
        bindgen
            .arg(module.name)
            .arg("--out-dir")
            .arg(folder)
            .arg(&built),
    )?;
    let bound = folder.join(format!("{}_bg.wasm", module.name));
    optimise(workspace, module.goal, &bound, &bound)
}

/// Inlines smaller functions only: by default (225) small changes of the service make the sandbox larger or smaller by 90 KB (gzip),
/// and with 80 it is 3 % larger.
const SHORT: &str =
    "target.wasm32-unknown-unknown.rustflags = [\"-Cllvm-args=-inline-threshold=25\"]";

/// Compiles a module, and returns its path in the target directory.
pub(crate) fn compile(workspace: &Workspace, module: &Module) -> Result<PathBuf> {
    let mut cargo = workspace.command("cargo");
    cargo.args(["build", "--quiet", "--target", "wasm32-unknown-unknown"]);
    let (profile, _) = module.goal.words();
    cargo.args(["--profile", profile, "--package", module.package]);
    if module.sqlite {
        tools::clang()?.serve(&mut cargo);
    }
    if module.goal == Goal::Speed {
        cargo.args(["--config", SHORT]);
    }
    if !module.features.is_empty() {
        cargo.args(["--features", &module.features.join(",")]);
    }
    process::run(&mut cargo)?;
    Ok(workspace.target.join(format!(
        "wasm32-unknown-unknown/{profile}/{}.wasm",
        module.package.replace('-', "_")
    )))
}

/// Optimises a module.
pub(crate) fn optimise(workspace: &Workspace, goal: Goal, from: &Path, to: &Path) -> Result<()> {
    let (_, levels) = goal.words();
    let mut wasm_opt = tools::wasm_opt(workspace, "pkg");
    process::run(wasm_opt.args(levels).arg(from).arg("-o").arg(to))
}
