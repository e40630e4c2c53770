//! Builds the documentation site: a static folder with the guides, the reference, and the demo at `/demo`.

use std::path::PathBuf;
use std::process::Command;

use crate::Result;
use crate::demo::Root;
use crate::digest::{Digest, Stamp};
use crate::workspace::Workspace;
use crate::{demo, file, npm, package, process, product};

/// The npm package that builds it.
pub(crate) const PACKAGE: &str = "site";

/// The folder that the package's build fills.
const BUILT: &str = "site/dist/site";

/// Path of the demo on the site.
const DEMO: &str = "/demo";

/// Inputs: documents become pages, the reference is made of the printed documents, the recorded requests and the declarations of `core`.
const SOURCES: [&str; 19] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "README.md",
    "SECURITY.md",
    "component/README.md",
    "contracts/README.md",
    "core/src",
    "dev/README.md",
    "docs",
    "pkg/CHANGELOG.md",
    "pkg/README.md",
    "pkg/TUTORIAL.md",
    "pkg/dist",
    "pkg/js/operations.ts",
    "pkg/package.json",
    "site",
    "tests/vectors/operations.jsonl",
    "web/boot/icon.svg",
    "xtask/src/site.rs",
];

pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.root.join("out/site")
}

pub(crate) fn exists(workspace: &Workspace) -> bool {
    npm::has_lock(workspace, PACKAGE)
}

/// Installs what the site's build, tests and printing need.
pub(crate) fn install(workspace: &Workspace) -> Result<()> {
    package::build(workspace)?;
    npm::install(workspace, PACKAGE)
}

/// Builds `out/site` unless it is up to date.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    install(workspace)?;
    demo::build(workspace)?;
    let mut digest = Digest::of(&workspace.root, &SOURCES)?;
    digest.path(&workspace.root, "web/font")?;
    digest.path(&workspace.root, "out/demo")?;
    let site = folder(workspace);
    let stamp = Stamp::new(workspace.root.join("target/xtask/site"), &digest);
    if stamp.is_current() && site.join("index.html").is_file() {
        return Ok(());
    }
    println!("Building the documentation site (a minute).");
    process::run(&mut npm::script(workspace, PACKAGE, "build"))?;
    let new = workspace.root.join("out/site.new");
    file::remove_folder(&new)?;
    demo::copy_tree(&workspace.root.join(BUILT), &new)?;
    demo::copy_into(workspace, &Root::new(DEMO)?, &new)?;
    product::replace(&site, &new)?;
    stamp.set()
}

/// The command that compiles the Rust examples of the reference, as a crate outside of the workspace.
pub(crate) fn check_rust_examples(workspace: &Workspace) -> Result<Command> {
    let folder = workspace.root.join("target/xtask/site-examples");
    file::create_folder(&folder)?;
    let mut print = workspace.command("node");
    print
        .current_dir(workspace.root.join(PACKAGE))
        .arg("build/rust_crate.mjs")
        .arg(&folder);
    process::run(&mut print)?;
    // The versions of the workspace, which are there.
    file::copy(
        &workspace.root.join("Cargo.lock"),
        &folder.join("Cargo.lock"),
    )?;
    let mut cargo = workspace.command("cargo");
    cargo
        .current_dir(&folder)
        .args(["check", "--quiet", "--offline"]);
    Ok(cargo)
}
