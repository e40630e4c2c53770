//! `cargo xtask mutants`: mutation testing, configured in `.cargo/mutants.toml`.

use std::process::ExitCode;

use crate::Result;
use crate::workspace::Workspace;
use crate::{npm, process, tools};

/// Runs cargo-mutants with these arguments. Its report is in `target/xtask/mutants.out`.
pub(crate) fn mutants(workspace: &Workspace, words: &[&str]) -> Result<ExitCode> {
    tools::CARGO_MUTANTS.install(workspace)?;
    // The tests start PostgreSQL from these packages.
    npm::install(workspace, "tests")?;
    let mut cargo = workspace.command("cargo");
    cargo.args(["mutants", "--output"]);
    cargo.arg(workspace.root.join("target/xtask")).args(words);
    // Each copy of the project needs its own target directory.
    cargo.env_remove("CARGO_TARGET_DIR");
    process::run(&mut cargo)?;
    Ok(ExitCode::SUCCESS)
}
