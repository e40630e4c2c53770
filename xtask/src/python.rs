//! Python's programs that tests need, each in a virtual environment of its own beside the other tools.

use std::path::PathBuf;
use std::process::Command;

use crate::Result;
use crate::digest::{Digest, Stamp};
use crate::place::Place;
use crate::{process, tools};

/// Schemathesis, exactly as `tests/interface/requirements.txt` says.
pub(crate) fn schemathesis(place: &Place) -> Result<PathBuf> {
    const REQUIREMENTS: &str = "tests/interface/requirements.txt";
    let folder = place.cache.join("tools/schemathesis");
    let program = folder.join("bin/schemathesis");
    let mut digest = Digest::new();
    digest.path(&place.root, REQUIREMENTS)?;
    let stamp = Stamp::new(folder.join(".settlekit"), &digest);
    if stamp.is_current() && program.is_file() {
        return Ok(program);
    }
    let makes_environments = || {
        Command::new("python3")
            .args(["-c", "import ensurepip, venv"])
            .output()
            .is_ok_and(|output| output.status.success())
    };
    if !makes_environments() {
        tools::debian(
            "Python",
            &["python3", "python3-venv"],
            "30 MB, under a minute",
        )?;
    }
    println!(
        "Installing Schemathesis into {} (once; under a minute).",
        folder.display()
    );
    let mut make = Command::new("python3");
    process::run(make.args(["-m", "venv", "--clear"]).arg(&folder))?;
    let mut install = Command::new(folder.join("bin/python"));
    install
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ])
        .arg("--requirement")
        .arg(place.root.join(REQUIREMENTS));
    process::run(&mut install)?;
    stamp.set()?;
    Ok(program)
}
