//! `cargo xtask run`: from a fresh clone to a served product.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::ExitCode;

use crate::Result;
use crate::place::Place;
use crate::{dashboard, process};

/// Builds what is missing and becomes the server, so that Ctrl-C reaches it directly. Further words are passed to the server.
pub(crate) fn run(place: &Place, words: &[&str]) -> Result<ExitCode> {
    {
        let _lock = place.lock_target()?;
        build(place)?;
    }
    let data = place.root.join("data");
    fs::create_dir_all(&data)
        .map_err(|error| format!("cannot create {}: {error}", data.display()))?;
    let mut server = std::process::Command::new(place.target.join("release/settlekit"));
    server.current_dir(&place.root).args([
        "serve",
        "--database",
        "sqlite:data/settlekit.db",
        "--listen",
        "127.0.0.1:8080",
    ]);
    server
        .args(["--sandbox", "--allow-private-webhooks", "--demo"])
        .args(words);
    Err(format!(
        "cannot start `{}`: {}",
        process::line(&server),
        server.exec()
    ))
}

/// The dashboard and, with it inside, the server; both as released.
pub(crate) fn build(place: &Place) -> Result<()> {
    let mut cargo = place.command("cargo");
    cargo.args([
        "build",
        "--release",
        "--quiet",
        "--package",
        "settlekit-server",
    ]);
    if dashboard::exists(place) {
        dashboard::build(place)?;
        cargo.args(["--features", "dashboard"]);
    }
    if !place.target.join("release/settlekit").is_file() {
        println!("Building the server (three to six minutes the first time).");
    }
    process::run(&mut cargo)
}
