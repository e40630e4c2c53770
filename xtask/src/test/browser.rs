//! Specs of `tests/browser`: dashboard and payer's page in a real browser, against real servers.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::StageRun;
use super::server::{Content, Server};
use crate::workspace::Workspace;
use crate::{Result, demo, file, npm, process, site, tools};

const FOLDER: &str = "tests/browser";
/// Number of parallel lines of specs, each with its own service; two cores support no more.
const LINES: usize = 2;

pub(super) fn exists(workspace: &Workspace) -> bool {
    npm::has_lock(workspace, FOLDER)
}

pub(super) fn test(stage: &mut StageRun) -> Result<()> {
    npm::install(stage.workspace, FOLDER)?;
    // The node of the live spec.
    npm::install(stage.workspace, "tests")?;
    let browser = tools::chromium()?;
    let site = site_for_spec(stage.workspace)?;
    let demo = demo_for_specs(stage.workspace)?;
    let servers = Server::start_beside(stage.workspace, Content::Demo, LINES)?;
    let mut command = npm::script(stage.workspace, FOLDER, "test");
    let services = servers.iter().map(|server| {
        let lines = server.environment().into_iter();
        let lines = lines.map(|(name, value)| format!("{name}={value}"));
        lines.collect::<Vec<_>>().join("\n")
    });
    stage.count(
        command
            .env(
                "SETTLEKIT_SERVICES",
                services.collect::<Vec<_>>().join("\n\n"),
            )
            .envs(demo)
            .envs(site)
            .envs(libre_office())
            .env("CHROMIUM", browser.chromium),
    )
}

/// Runs a spec by name: `keyboard` for `specs/keyboard.spec.mjs`. Other arguments are passed to Node's test runner.
pub(crate) fn spec(workspace: &Workspace, words: &[&str]) -> Result<ExitCode> {
    let specs = workspace.root.join(FOLDER).join("specs");
    let (name, rest) = match words.split_first() {
        Some((&name, rest)) if specs.join(format!("{name}.spec.mjs")).is_file() => (name, rest),
        _ => return Err(format!("name a spec: {}", names(&specs)?)),
    };
    let _lock = workspace.lock_target()?;
    npm::install(workspace, FOLDER)?;
    let browser = tools::chromium()?;
    let server = Server::start(workspace, Content::Demo)?;
    let mut node = workspace.command("node");
    node.current_dir(workspace.root.join(FOLDER))
        .arg("--test")
        .args(rest)
        .arg(format!("specs/{name}.spec.mjs"))
        .envs(server.environment())
        .env("CHROMIUM", browser.chromium);
    match name {
        "demo" => {
            node.envs(demo_for_specs(workspace)?);
        }
        "site" => {
            node.envs(site_for_spec(workspace)?);
        }
        "evm_node" => npm::install(workspace, "tests")?,
        "exports" => {
            node.envs(libre_office());
        }
        _ => {}
    }
    process::run(&mut node)?;
    Ok(ExitCode::SUCCESS)
}

/// The environment of the test that opens an exported workbook in LibreOffice. Without LibreOffice the test does not exist, and this
/// says so.
fn libre_office() -> Option<(&'static str, PathBuf)> {
    let program = process::on_path("soffice");
    if program.is_none() {
        println!(
            "Exported workbooks are not opened in LibreOffice: `soffice` is not installed here."
        );
    }
    program.map(|program| ("SETTLEKIT_SOFFICE", program))
}

/// Builds the demo for the root and for a path of an origin; returns the environment of its spec.
fn demo_for_specs(workspace: &Workspace) -> Result<[(&'static str, String); 3]> {
    let root = demo::Root::new("/shop/demo")?;
    demo::copy_to_path(workspace, &root)?;
    Ok([
        // Not `SETTLEKIT_DEMO`, which is an option of the program.
        (
            "SETTLEKIT_DEMO_FOLDER",
            demo::folder(workspace).display().to_string(),
        ),
        (
            "SETTLEKIT_DEMO_AT",
            demo::folders(workspace).display().to_string(),
        ),
        ("SETTLEKIT_DEMO_ROOT", root.to_string()),
    ])
}

/// Builds the documentation site; returns the environment of its spec.
fn site_for_spec(workspace: &Workspace) -> Result<[(&'static str, String); 1]> {
    site::build(workspace)?;
    let folder = site::folder(workspace).display().to_string();
    Ok([("SETTLEKIT_SITE_FOLDER", folder)])
}

/// Names of all specs on one line.
fn names(specs: &Path) -> Result<String> {
    let paths = file::entries(specs)?;
    let names = paths.iter().map(|path| file::name(path));
    let names: Vec<&str> = names
        .filter_map(|name| name.strip_suffix(".spec.mjs"))
        .collect();
    Ok(names.join(", "))
}
