//! `cargo xtask mutants`: faults planted on purpose, to find tests that are missing.
//!
//! `.cargo/mutants.toml` says where they are planted and which tests have to find them.

use std::process::ExitCode;

use crate::Result;
use crate::place::Place;
use crate::{npm, process, tools};

/// Runs cargo-mutants; further words are passed to it. Its report is in `target/xtask/mutants.out`.
pub(crate) fn mutants(place: &Place, words: &[&str]) -> Result<ExitCode> {
    tools::cargo_mutants(place)?;
    // The tests start PostgreSQL from there.
    npm::install(place, "tests")?;
    let mut cargo = place.command("cargo");
    cargo.args(["mutants", "--output"]);
    cargo.arg(place.root.join("target/xtask")).args(words);
    // Each copy of the project is built in a target directory of its own.
    cargo.env_remove("CARGO_TARGET_DIR");
    process::run(&mut cargo)?;
    Ok(ExitCode::SUCCESS)
}
