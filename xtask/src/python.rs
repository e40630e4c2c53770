//! Python programs of the tests, each in its own virtual environment beside the other tools.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::Result;
use crate::digest::{Digest, Stamp};
use crate::workspace::Workspace;
use crate::{process, tools};

/// Two stages install in parallel: the second waits and finds the program installed.
static INSTALLING: Mutex<()> = Mutex::new(());

/// Schemathesis, pinned in `tests/interface/requirements.txt`.
pub(crate) fn schemathesis(workspace: &Workspace) -> Result<PathBuf> {
    let requirements = "tests/interface/requirements.txt";
    install(workspace, "schemathesis", "schemathesis", requirements)
}

/// localstripe, pinned in `tests/bench/mocks/requirements.txt`.
pub(crate) fn localstripe(workspace: &Workspace) -> Result<PathBuf> {
    let requirements = "tests/bench/mocks/requirements.txt";
    install(workspace, "localstripe", "localstripe", requirements)
}

/// pytest with wasmtime, pinned in `component/tests/python/requirements.txt`.
pub(crate) fn wasmtime(workspace: &Workspace) -> Result<PathBuf> {
    let requirements = "component/tests/python/requirements.txt";
    install(workspace, "python-wasmtime", "pytest", requirements)
}

/// Python with the requirements of the second service, pinned in `tests/second/requirements.txt`.
pub(crate) fn second(workspace: &Workspace) -> Result<PathBuf> {
    install(
        workspace,
        "second",
        "python",
        "tests/second/requirements.txt",
    )
}

/// Python with the client of x402, pinned in `tests/x402/requirements.txt`.
pub(crate) fn x402(workspace: &Workspace) -> Result<PathBuf> {
    install(workspace, "x402", "python", "tests/x402/requirements.txt")
}

/// Installs the requirements into the folder `name` and returns a program of it.
fn install(
    workspace: &Workspace,
    name: &str,
    program: &str,
    requirements: &str,
) -> Result<PathBuf> {
    let _alone = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = workspace.cache.join("tools").join(name);
    let program = folder.join("bin").join(program);
    let digest = Digest::of(&workspace.root, &[requirements])?;
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
        "Installing {name} into {} (once; under a minute).",
        folder.display()
    );
    let mut make = Command::new("python3");
    process::run(make.args(["-m", "venv", "--clear"]).arg(&folder))?;
    let mut install = Command::new(folder.join("bin/python"));
    install
        .args(["-m", "pip", "install", "--quiet"])
        .args(["--disable-pip-version-check", "--requirement"])
        .arg(workspace.root.join(requirements));
    process::run(&mut install)?;
    stamp.set()?;
    Ok(program)
}
