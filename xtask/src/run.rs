//! `cargo xtask run`: builds and serves everything from a fresh clone, the API first.
//!
//! A development server reads the dashboard's files on each request, so it can start without them. A second, low-priority process
//! builds them, and continues after this process has become the server.

use std::env;
use std::process::{Child, Command, ExitCode};

use crate::workspace::{TargetLock, Workspace};
use crate::{Result, dashboard, file, npm, process, tools};

/// Starts a live server beside a local EVM node instead of the sandbox.
const LIVE_DEMO: &str = "--live-demo";

/// Default database and address of the server.
const DEFAULTS: [(&str, &str); 2] = [
    ("--database", "sqlite:data/settlekit.db"),
    ("--listen", "127.0.0.1:8080"),
];

/// Builds what is missing and becomes the server, so that Ctrl-C reaches it directly. Arguments are passed to the server.
pub(crate) fn run(workspace: &Workspace, words: &[&str]) -> Result<ExitCode> {
    let lock = workspace.lock_target()?;
    let mut beside = None;
    if dashboard::exists(workspace) && !dashboard::is_there(workspace)? {
        println!(
            "Still to come: the server, whose API then answers; beside it the dashboard{}.",
            tools::missing_dashboard_tools(workspace)
        );
        beside = Some(build_dashboard_beside(&lock)?);
    }
    if let Err(sentence) = build_for_development(workspace) {
        if let Some(mut dashboard) = beside {
            eprintln!("xtask: {sentence}\nWaiting for the dashboard's build, which Ctrl-C ends.");
            let _ = dashboard.wait();
        }
        return Err(sentence);
    }
    file::create_folder(&workspace.root.join("data"))?;
    if words.contains(&LIVE_DEMO) {
        return live_demo(workspace);
    }
    println!("Starting the server; its first start fills the demo (ten seconds or so).");
    let mut server = Command::new(workspace.target.join("debug/settlekit"));
    server.current_dir(&workspace.root).arg("serve");
    for (option, value) in DEFAULTS {
        if !words.iter().any(|word| word.starts_with(option)) {
            server.args([option, value]);
        }
    }
    server
        .args(["--sandbox", "--allow-private-webhooks", "--demo"])
        .args(words);
    Err(process::exec(&mut server))
}

/// Becomes the program that starts a node and a live server connected to it.
fn live_demo(workspace: &Workspace) -> Result<ExitCode> {
    npm::install(workspace, "tests")?;
    println!("Starting a local EVM node and a live server.");
    let tests = workspace.root.join("tests");
    let mut start = Command::new("node");
    start
        .current_dir(&workspace.root)
        .arg("demo/live/start.mjs")
        .arg(workspace.target.join("debug/settlekit"))
        .arg(tests.join("node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil"))
        .arg(workspace.root.join("contracts/test/tokens/tokens.json"))
        .arg("data/live-demo");
    Err(process::exec(&mut start))
}

/// Builds the server, which reads the dashboard's files from `dist` on each request.
fn build_for_development(workspace: &Workspace) -> Result<()> {
    // Only the folder must exist.
    file::create_folder(&workspace.root.join("dist"))?;
    if !workspace.target.join("debug/settlekit").is_file() {
        println!("Building the server (about three minutes the first time).");
    }
    let mut cargo = workspace.command("cargo");
    cargo.args(["build", "--quiet", "--package", "settlekit-server"]);
    if dashboard::exists(workspace) {
        cargo.args(["--features", "dashboard"]);
    }
    process::with_progress("Building the server", || process::run(&mut cargo))
}

/// Starts a process that builds the dashboard under this process's lock.
fn build_dashboard_beside(lock: &TargetLock) -> Result<Child> {
    let program =
        env::current_exe().map_err(|error| format!("cannot find the running xtask: {error}"))?;
    let mut command = Command::new("nice");
    command
        .args(["-n", "10"])
        .arg(program)
        .args(["dashboard", LOCK_HELD])
        .stdin(lock.share()?);
    command
        .spawn()
        .map_err(|error| format!("cannot start `{}`: {error}", process::line(&command)))
}

/// Tells `cargo xtask dashboard` that its caller holds the lock.
pub(crate) const LOCK_HELD: &str = "--beside";

/// Builds the dashboard in the process beside the server.
pub(crate) fn dashboard_beside(workspace: &Workspace) -> Result<ExitCode> {
    let built = process::with_progress("Building the dashboard", || dashboard::build(workspace));
    built.map_err(|sentence| format!("the dashboard is not built: {sentence}"))?;
    println!("The dashboard is ready: load the page again.");
    Ok(ExitCode::SUCCESS)
}

/// Release build of the dashboard and of the server that embeds it.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    let mut cargo = workspace.command("cargo");
    cargo.args(["build", "--release", "--quiet"]);
    cargo.args(["--package", "settlekit-server"]);
    if dashboard::exists(workspace) {
        dashboard::build(workspace)?;
        cargo.args(["--features", "dashboard"]);
    }
    if !workspace.target.join("release/settlekit").is_file() {
        println!("Building the server (three to six minutes the first time).");
    }
    process::run(&mut cargo)
}
