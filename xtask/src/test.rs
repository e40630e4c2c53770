//! `cargo xtask test`: all checks in named stages.
//!
//! After a failed stage, all stages that do not depend on it still run. The last line of the output is machine-readable:
//! `N passed, N failed`.

mod browser;
mod count;
mod interface;
pub(crate) mod server;
mod stage;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Instant;

use crate::Result;
use crate::workspace::Workspace;
use crate::{component, dashboard, dev, npm, package, process, python, site, tools};
pub(crate) use browser::spec;
pub(crate) use count::read_summary;
use count::{Failures, Tally, read_forge, read_pytest};
use server::{Content, Server};
use stage::{Queue, Stage, StageResult};

/// The name of the stage that builds for WebAssembly.
const BUILDS: &str = "wasm builds";

/// What finds most mistakes in a minute, and runs alone.
const FIRST: usize = 3;

/// In the order in which workers take them.
const STAGES: [Stage; 22] = [
    Stage::new("format", format),
    Stage::new("clippy", clippy),
    Stage::new("clippy wasm32", clippy_wasm),
    Stage::new("native tests", native),
    Stage::new(BUILDS, build_wasm),
    Stage::new("power", power).if_there(power_exists),
    // The longest of the others.
    Stage::new("dashboard", build_dashboard)
        .if_there(dashboard::exists)
        .after(BUILDS),
    Stage::new("browser", browser::test)
        .if_there(browser::exists)
        .after("dashboard"),
    Stage::new("rust library", rust_library),
    Stage::new("documents", documents).if_there(documents_exist),
    Stage::new("contracts", contracts).if_there(|workspace| npm::has_lock(workspace, "contracts")),
    Stage::new("interface", interface),
    Stage::new("wasm under Node", wasm_under_node),
    Stage::new("wasm in Chromium", wasm_in_chromium)
        .if_there(wasm_in_chromium_exists)
        .after("wasm under Node"),
    Stage::new("npm package", build_package)
        .if_there(package::exists)
        .after(BUILDS),
    Stage::new("npm package tests", package_tests)
        .if_there(package::exists)
        .after("npm package"),
    Stage::new("npm package lint", package_lint)
        .if_there(package::exists)
        .after("npm package"),
    Stage::new("npm consumers", consumers)
        .if_there(consumers_exist)
        .after("npm package"),
    Stage::new("settlekit-dev", dev_tests)
        .if_there(dev::exists)
        .after("npm package"),
    Stage::new("site", site_examples)
        .if_there(site::exists)
        .after("npm package"),
    Stage::new("component", component).after(BUILDS),
    // Late, so that its tool is built in parallel with other stages.
    Stage::new("dependencies", dependencies),
];

/// The number of stages that run at once: with one, 57 % of two cores were busy.
const WORKERS: usize = 2;

/// A run of the stages.
struct StageRun<'a> {
    workspace: &'a Workspace,
    /// Counts of the current stage.
    tally: Tally,
    failures: Failures,
}

/// Runs all stages whose name contains one of the words; without words, all stages.
pub(crate) fn test(workspace: &Workspace, words: &[&str]) -> Result<ExitCode> {
    if words == ["--list"] {
        STAGES
            .iter()
            .filter(|stage| (stage.exists)(workspace))
            .for_each(|stage| println!("{}", stage.name));
        return Ok(ExitCode::SUCCESS);
    }
    let _lock = workspace.lock_target()?;
    thread::scope(|scope| {
        // On a new machine the tools take longer than any stage, and the first stages leave cores idle.
        if words.is_empty() {
            scope.spawn(|| tools::prepare(workspace));
        }
        Ok(run(workspace, words))
    })
}

fn run(workspace: &Workspace, words: &[&str]) -> ExitCode {
    let started = Instant::now();
    let is_whole = words.is_empty();
    let is_chosen = |stage: &&Stage| {
        let chosen = is_whole || words.iter().any(|word| stage.name.contains(word));
        chosen && (stage.exists)(workspace)
    };
    let chosen: Vec<&Stage> = STAGES.iter().filter(is_chosen).collect();
    let ended = if is_whole {
        let (first, rest) = chosen.split_at(FIRST);
        let mut ended = run_stages(workspace, first, 1);
        ended.extend(run_stages(workspace, rest, WORKERS));
        ended
    } else {
        run_stages(workspace, &chosen, 1)
    };
    for stage in ended.iter().filter(|stage| !stage.failures.is_empty()) {
        println!(
            "\n=== failed in {} ===\n{}",
            stage.name,
            stage.failures.join("\n")
        );
    }
    let mut total = Tally::default();
    println!("\n=== in {} s ===", started.elapsed().as_secs());
    for stage in &ended {
        println!("{}", stage.line);
        total.add(stage.tally);
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    if total.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs stages with a number of parallel workers.
fn run_stages(workspace: &Workspace, stages: &[&Stage], workers: usize) -> Vec<StageResult> {
    let queue = Queue::new(stages.to_vec());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(stage) = queue.next() {
                    queue.end(run_stage(workspace, stage));
                }
            });
        }
    });
    queue.into_ended()
}

fn run_stage(workspace: &Workspace, stage: &Stage) -> StageResult {
    let name = stage.name;
    println!("\n=== {name} ===");
    let since = Instant::now();
    let mut stage_run = StageRun {
        workspace,
        tally: Tally::default(),
        failures: Failures::default(),
    };
    // Another worker may wait for this stage.
    let ended = catch_unwind(AssertUnwindSafe(|| (stage.run)(&mut stage_run)));
    let outcome = ended.unwrap_or_else(|_| Err("panicked".into()));
    if let Err(sentence) = &outcome {
        println!("{name}: {sentence}");
    }
    let tally = stage_run.tally.closed(outcome.is_ok());
    let failed = tally.failed > 0;
    let word = if failed { "FAILED" } else { "ok" };
    let seconds = since.elapsed().as_secs();
    let line = format!(
        "  {word:<8}  {name:<28} {:>5} passed {:>3} failed {seconds:>5} s",
        tally.passed, tally.failed
    );
    println!("\n{line}");
    StageResult {
        name,
        failed,
        tally,
        failures: stage_run.failures.into_lines(),
        line,
    }
}

impl StageRun<'_> {
    fn cargo(&self, words: &[&str]) -> Command {
        let mut cargo = self.workspace.command("cargo");
        cargo.args(words);
        cargo
    }

    /// Runs a command and adds up its test summaries.
    fn count(&mut self, command: &mut Command) -> Result<()> {
        self.count_with(read_summary, command)
    }

    fn count_with(&mut self, read: fn(&str) -> Tally, command: &mut Command) -> Result<()> {
        count_into(&mut self.tally, &mut self.failures, read, command)
    }
}

fn count_into(
    tally: &mut Tally,
    failures: &mut Failures,
    read: fn(&str) -> Tally,
    command: &mut Command,
) -> Result<()> {
    let before = tally.failed;
    let succeeded = process::watch(command, &mut |line| {
        tally.add(read(line));
        failures.see(line);
    })?;
    // A suite that stops before its summary, e.g. by a compile error or crash, has failed.
    if succeeded || tally.failed > before {
        Ok(())
    } else {
        Err(format!("`{}` failed", process::line(command)))
    }
}

fn wasm_in_chromium_exists(workspace: &Workspace) -> bool {
    workspace.root.join("core/webdriver.json").is_file()
}

fn consumers_exist(workspace: &Workspace) -> bool {
    package::exists(workspace) && workspace.root.join("tests/npm/package.json").is_file()
}

fn documents_exist(workspace: &Workspace) -> bool {
    npm::has_lock(workspace, "tests/documents")
}

fn format(stage: &mut StageRun) -> Result<()> {
    process::run(&mut stage.cargo(&["fmt", "--all", "--check"]))
}

fn clippy(stage: &mut StageRun) -> Result<()> {
    let mut cargo = stage.workspace.native("clippy")?;
    process::run(cargo.args(["--all-targets", "--", "--deny", "warnings"]))
}

fn clippy_wasm(stage: &mut StageRun) -> Result<()> {
    tools::wasm_target()?;
    let mut cargo = stage.cargo(&["clippy", "--quiet", "--target", "wasm32-unknown-unknown"]);
    for package in [
        "core",
        "forms",
        "calls",
        "component",
        "service",
        "web",
        "js",
    ] {
        cargo.args(["--package", &format!("settlekit-{package}")]);
    }
    for feature in ["client", "webhooks", "sandbox"] {
        cargo.args(["--features", &format!("settlekit-js/{feature}")]);
    }
    tools::clang()?.serve(&mut cargo);
    process::run(cargo.args(["--", "--deny", "warnings"]))
}

fn native(stage: &mut StageRun) -> Result<()> {
    tools::pgbouncer()?;
    python::second(stage.workspace)?;
    python::x402(stage.workspace)?;
    npm::install(stage.workspace, "tests")?;
    npm::install(stage.workspace, "tests/x402")?;
    let workspace = stage.workspace;
    // Tests look for Python where it was installed.
    let cargo = |words: &[&str]| {
        let mut cargo = workspace.native("test")?;
        cargo.args(words).env("SETTLEKIT_CACHE", &workspace.cache);
        Ok::<_, String>(cargo)
    };
    let mut program = cargo(&["--test", "program"])?;
    let mut others = cargo(&["--no-fail-fast"])?;
    thread::scope(|scope| {
        // These wait for nodes and servers most of the time: they use a quarter of two cores.
        let program = scope.spawn(|| {
            let (mut tally, mut failures) = (Tally::default(), Failures::default());
            let outcome = count_into(&mut tally, &mut failures, read_summary, &mut program);
            (tally, failures, outcome)
        });
        let others = stage.count(&mut others);
        let joined = program.join();
        let (tally, failures, outcome) = joined.unwrap_or_else(|panic| resume_unwind(panic));
        stage.tally.add(tally);
        stage.failures.add(failures);
        others.and(outcome)
    })
}

/// Builds for WebAssembly what the browser's specs need, the longest stage.
fn build_wasm(stage: &mut StageRun) -> Result<()> {
    let workspace = stage.workspace;
    package::build(workspace)?;
    if dashboard::exists(workspace) {
        dashboard::build(workspace)?;
    }
    Ok(())
}

/// What a Rust program needs from crates.io and docs.rs: documentation without warnings, core without its features, and core as
/// the package that would be published, built from it.
fn rust_library(stage: &mut StageRun) -> Result<()> {
    let mut doc = stage.cargo(&["doc", "--quiet", "--no-deps"]);
    doc.args(["--package", "settlekit-core", "--package", "settlekit"]);
    process::run(doc.env("RUSTDOCFLAGS", "--deny warnings"))?;
    let mut check = stage.cargo(&["check", "--quiet", "--package", "settlekit-core"]);
    process::run(check.arg("--no-default-features"))?;
    let mut package = stage.cargo(&["package", "--quiet", "--package", "settlekit-core"]);
    process::run(package.arg("--allow-dirty"))
}

/// The test disk needs root and loop devices.
fn power_exists(_: &Workspace) -> bool {
    process::is_root() && Path::new("/dev/loop-control").exists()
}

/// Power loss and full disks.
fn power(stage: &mut StageRun) -> Result<()> {
    npm::install(stage.workspace, "tests")?;
    stage.count(stage.workspace.native("test")?.args(["--test", "power"]))
}

/// External validators over the printed documents.
fn documents(stage: &mut StageRun) -> Result<()> {
    npm::install(stage.workspace, "tests/documents")?;
    stage.count(&mut npm::script(stage.workspace, "tests/documents", "test"))
}

/// Solidity tests in forge, the committed bytecode compiled again, and the factory on nodes.
fn contracts(stage: &mut StageRun) -> Result<()> {
    npm::install(stage.workspace, "contracts")?;
    let mut forge = npm::script(stage.workspace, "contracts", "test:forge");
    let solidity = stage.count_with(read_forge, &mut forge);
    solidity.and(stage.count(&mut npm::script(stage.workspace, "contracts", "test:node")))
}

fn interface(stage: &mut StageRun) -> Result<()> {
    interface::test(stage.workspace, &mut stage.tally)
}

/// Tests compiled to wasm, executed by the runner in `.cargo/config.toml`.
fn wasm_tests(stage: &StageRun) -> Result<Command> {
    tools::wasm_target()?;
    tools::WASM_BINDGEN.install(stage.workspace)?;
    // The runner does not support --quiet.
    // By name: unit tests inside the crates are native, and building them would compile the crates a second time.
    let mut cargo = stage.cargo(&["test", "--test", "core", "--test", "wasm", "--no-fail-fast"]);
    cargo.args(["--target", "wasm32-unknown-unknown"]);
    cargo.args([
        "--package",
        "settlekit-core",
        "--package",
        "settlekit-service",
        "--features",
        "settlekit-service/chain-steps",
    ]);
    tools::clang()?.serve(&mut cargo);
    Ok(cargo)
}

fn wasm_under_node(stage: &mut StageRun) -> Result<()> {
    let mut cargo = wasm_tests(stage)?;
    stage.count(&mut cargo)
}

fn wasm_in_chromium(stage: &mut StageRun) -> Result<()> {
    let browser = tools::chromium()?;
    let mut cargo = wasm_tests(stage)?;
    cargo
        .env("CHROMEDRIVER", browser.driver)
        .env("WASM_BINDGEN_USE_BROWSER", "1")
        .env("WASM_BINDGEN_TEST_TIMEOUT", "120");
    stage.count(&mut cargo)
}

fn build_dashboard(stage: &mut StageRun) -> Result<()> {
    dashboard::build(stage.workspace)
}

fn build_package(stage: &mut StageRun) -> Result<()> {
    package::build(stage.workspace)
}

fn package_tests(stage: &mut StageRun) -> Result<()> {
    package::build(stage.workspace)?;
    stage.count(&mut npm::script(stage.workspace, "pkg", "test"))
}

fn package_lint(stage: &mut StageRun) -> Result<()> {
    package::build(stage.workspace)?;
    process::run(&mut npm::script(stage.workspace, "pkg", "lint"))
}

fn consumers(stage: &mut StageRun) -> Result<()> {
    package::build(stage.workspace)?;
    npm::install(stage.workspace, "tests/npm")?;
    let browser = tools::chromium()?;
    let second = python::second(stage.workspace)?;
    let server = Server::start(stage.workspace, Content::Empty)?;
    let mut command = npm::script(stage.workspace, "tests/npm", "test");
    stage.count(
        command
            .envs(server.environment())
            .env("SECOND", second)
            .env("CHROMIUM", browser.chromium),
    )
}

fn dev_tests(stage: &mut StageRun) -> Result<()> {
    dev::build(stage.workspace)?;
    // The command line is tried against servers of both modes.
    let program = Server::program(stage.workspace)?;
    let mut tests = npm::script(stage.workspace, "dev", "test");
    stage.count(tests.env("SETTLEKIT_PROGRAM", program))
}

/// The examples of the documentation: those in JavaScript run, those in Rust compile. Printed parts are current.
fn site_examples(stage: &mut StageRun) -> Result<()> {
    site::install(stage.workspace)?;
    let run = stage.count(&mut npm::script(stage.workspace, site::PACKAGE, "test"));
    let mut check = site::check_rust_examples(stage.workspace)?;
    run.and(process::run(&mut check))
}

/// The component run by wasmtime, from Rust and from Python.
fn component(stage: &mut StageRun) -> Result<()> {
    component::build(stage.workspace)?;
    // Not with the other crates: a cold check of wasmtime takes a minute.
    let mut clippy = stage.cargo(&["clippy", "--quiet", "--all-targets"]);
    clippy.args(["--package", component::HOST]);
    process::run(clippy.args(["--", "--deny", "warnings"]))?;
    let pytest = python::wasmtime(stage.workspace)?;
    let mut cargo = stage.cargo(&["test", "--quiet", "--package", component::HOST]);
    let native = stage.count(&mut cargo);
    let mut python = Command::new(pytest);
    python
        .current_dir(stage.workspace.root.join("component/tests/python"))
        .args(["-q", "-p", "no:cacheprovider"])
        .env("PYTHONDONTWRITEBYTECODE", "1");
    native.and(stage.count_with(read_pytest, &mut python))
}

/// Licences, sources and versions of dependencies by `deny.toml`; advisories if their database can be downloaded.
fn dependencies(stage: &mut StageRun) -> Result<()> {
    tools::CARGO_DENY.install(stage.workspace)?;
    let deny = |words: &[&str]| {
        let mut deny = stage.workspace.command("cargo-deny");
        deny.arg("--locked").args(words);
        deny
    };
    // Warnings are unused exceptions.
    let checks = ["licenses", "sources", "bans"];
    process::run(deny(&["check", "--deny", "warnings"]).args(checks))?;
    let fetched = deny(&["fetch", "db"]).output();
    if fetched.is_ok_and(|output| output.status.success()) {
        process::run(&mut deny(&["check", "advisories"]))
    } else {
        println!("Advisories are not checked: their database cannot be fetched from here.");
        Ok(())
    }
}
