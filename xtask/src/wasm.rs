//! A crate made into a module for the browser or Node: by cargo, wasm-bindgen and binaryen.

use std::path::Path;

use crate::Result;
use crate::place::Place;
use crate::{process, tools};

/// What is built.
pub(crate) struct Module<'a> {
    /// The crate.
    pub(crate) package: &'a str,
    /// Its features.
    pub(crate) features: &'a [&'a str],
    /// Whether SQLite is in it, which is C.
    pub(crate) sqlite: bool,
    /// What the compilers do for it.
    pub(crate) aim: Aim,
    /// What its files are called: `<name>.js` and `<name>_bg.wasm`.
    pub(crate) name: &'a str,
}

/// What a module is to be before all else.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// Small: a page downloads it.
    Size,
    /// Fast: tests call it without end.
    Speed,
}

impl Aim {
    /// Cargo's profile, and what wasm-opt does.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Size => ("wasm", "-Oz"),
            Self::Speed => ("sandbox", "-O3"),
        }
    }
}

/// Builds a module into a folder; binaryen's `wasm-opt` is that of the room `pkg`.
pub(crate) fn build(place: &Place, module: &Module, folder: &Path) -> Result<()> {
    let mut cargo = place.command("cargo");
    cargo.args(["build", "--quiet", "--target", "wasm32-unknown-unknown"]);
    let (profile, optimise) = module.aim.words();
    cargo.args(["--profile", profile, "--package", module.package]);
    if module.sqlite {
        tools::clang()?.serve(&mut cargo);
    }
    if !module.features.is_empty() {
        cargo.args(["--features", &module.features.join(",")]);
    }
    process::run(&mut cargo)?;
    let built = place.target.join(format!(
        "wasm32-unknown-unknown/{profile}/{}.wasm",
        module.package.replace('-', "_")
    ));
    let mut bindgen = place.command("wasm-bindgen");
    bindgen.args(["--target", "web", "--no-typescript", "--out-name"]);
    process::run(
        bindgen
            .arg(module.name)
            .arg("--out-dir")
            .arg(folder)
            .arg(&built),
    )?;
    let bound = folder.join(format!("{}_bg.wasm", module.name));
    let mut wasm_opt = place.command("node_modules/.bin/wasm-opt");
    process::run(
        wasm_opt
            .current_dir(place.root.join("pkg"))
            .arg(optimise)
            .arg(&bound)
            .arg("-o")
            .arg(&bound),
    )
}
