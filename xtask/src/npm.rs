//! npm packages, installed according to lock files.

use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::Result;
use crate::digest::{Digest, Stamp};
use crate::process;
use crate::workspace::Workspace;

/// Two stages install in parallel: the second waits and finds the packages installed.
static INSTALLING: Mutex<()> = Mutex::new(());

/// Whether the folder is an npm package with a lock file.
pub(crate) fn has_lock(workspace: &Workspace, folder: &str) -> bool {
    workspace
        .root
        .join(folder)
        .join("package-lock.json")
        .is_file()
}

/// The command that runs a script of the package in a folder.
pub(crate) fn script(workspace: &Workspace, folder: &str, script: &str) -> Command {
    let mut command = workspace.command("npm");
    command
        .current_dir(workspace.root.join(folder))
        .args(["run", "--silent", script]);
    command
}

/// Updates `node_modules` to the folder's lock file, if needed. Does nothing without a lock file.
pub(crate) fn install(workspace: &Workspace, folder: &str) -> Result<()> {
    if !has_lock(workspace, folder) {
        return Ok(());
    }
    let _alone = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let path = workspace.root.join(folder);
    let digest = Digest::of(&path, &["package-lock.json", "package.json"])?;
    let stamp = Stamp::new(path.join("node_modules/.settlekit"), &digest);
    if stamp.is_current() {
        return Ok(());
    }
    println!("Installing the npm packages of {folder}/ (under a minute).");
    let mut command = workspace.command("npm");
    command
        .current_dir(&path)
        .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
    process::run(&mut command)?;
    stamp.set()
}
