//! Builds the npm package `settlekit-dev`: the files of the dashboard, and JavaScript by its own build script.

use crate::Result;
use crate::workspace::Workspace;
use crate::{dashboard, npm, package, process};

/// Whether the package and what it is made of exist.
pub(crate) fn exists(workspace: &Workspace) -> bool {
    npm::has_lock(workspace, "dev") && package::exists(workspace) && dashboard::exists(workspace)
}

/// Builds `dev/dist`, after the dashboard and the npm package that it is made of.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    if !exists(workspace) {
        return Ok(());
    }
    dashboard::build(workspace)?;
    package::build(workspace)?;
    npm::install(workspace, "dev")?;
    println!("Building settlekit-dev (some seconds).");
    process::run(&mut npm::script(workspace, "dev", "build"))
}
