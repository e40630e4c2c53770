//! `cargo xtask test`: all checks in named stages.
//!
//! A failing stage does not stop the others, except those that need its result. The last line is `N passed, N failed`, for
//! machines.

mod browser;
mod count;
mod interface;
pub(crate) mod server;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Instant;

use crate::Result;
use crate::place::Place;
use crate::{dashboard, demo, npm, package, process, tools};
pub(crate) use browser::spec;
use count::Tally;
pub(crate) use count::read_summary;
use server::{Content, Server};

struct Stage {
    name: &'static str,
    /// Whether the subject of this stage exists.
    exists: fn(&Place) -> bool,
    /// Stages that must succeed first.
    needs: &'static [&'static str],
    run: fn(&mut StageRun) -> Result<()>,
}

const STAGES: [Stage; 16] = [
    Stage {
        name: "format",
        exists: always,
        needs: &[],
        run: format,
    },
    Stage {
        name: "clippy",
        exists: always,
        needs: &[],
        run: clippy,
    },
    Stage {
        name: "clippy wasm32",
        exists: always,
        needs: &[],
        run: clippy_wasm,
    },
    Stage {
        name: "native tests",
        exists: always,
        needs: &[],
        run: native,
    },
    Stage {
        name: "power",
        exists: power_exists,
        needs: &[],
        run: power,
    },
    Stage {
        name: "documents",
        exists: documents_exist,
        needs: &[],
        run: documents,
    },
    Stage {
        name: "interface",
        exists: always,
        needs: &[],
        run: interface,
    },
    Stage {
        name: "wasm under Node",
        exists: always,
        needs: &[],
        run: wasm_under_node,
    },
    Stage {
        name: "wasm in Chromium",
        exists: wasm_in_chromium_exists,
        needs: &["wasm under Node"],
        run: wasm_in_chromium,
    },
    Stage {
        name: "dashboard",
        exists: dashboard::exists,
        needs: &[],
        run: build_dashboard,
    },
    Stage {
        name: "npm package",
        exists: package::exists,
        needs: &[],
        run: build_package,
    },
    Stage {
        name: "npm package tests",
        exists: package::exists,
        needs: &["npm package"],
        run: package_tests,
    },
    Stage {
        name: "npm package lint",
        exists: package::exists,
        needs: &["npm package"],
        run: package_lint,
    },
    Stage {
        name: "npm consumers",
        exists: consumers_exist,
        needs: &["npm package"],
        run: consumers,
    },
    // Late, so that its tool is built in parallel with other stages.
    Stage {
        name: "dependencies",
        exists: always,
        needs: &[],
        run: dependencies,
    },
    Stage {
        name: "browser",
        exists: browser::exists,
        needs: &["dashboard"],
        run: browser::test,
    },
];

/// A run of the stages.
struct StageRun<'a> {
    place: &'a Place,
    /// Whether all stages run.
    is_whole: bool,
    /// Counts of the current stage.
    tally: Tally,
}

/// Runs all stages whose name contains one of the words; without words, all stages.
pub(crate) fn test(place: &Place, words: &[&str]) -> Result<ExitCode> {
    if words == ["--list"] {
        STAGES
            .iter()
            .filter(|stage| (stage.exists)(place))
            .for_each(|stage| println!("{}", stage.name));
        return Ok(ExitCode::SUCCESS);
    }
    let _lock = place.lock_target()?;
    thread::scope(|scope| {
        // On a new machine the tools take longer than any stage, and the first stages leave cores idle.
        if words.is_empty() {
            scope.spawn(|| tools::prepare(place));
        }
        Ok(run(place, words))
    })
}

fn run(place: &Place, words: &[&str]) -> ExitCode {
    let started = Instant::now();
    let mut lines = Vec::new();
    let mut total = Tally::default();
    let mut failed = Vec::new();
    for stage in &STAGES {
        let chosen = words.is_empty() || words.iter().any(|word| stage.name.contains(word));
        if !chosen || !(stage.exists)(place) {
            continue;
        }
        if let Some(needed) = stage.needs.iter().find(|needed| failed.contains(*needed)) {
            lines.push(format!("  left out  {:<28} needs `{needed}`", stage.name));
            failed.push(stage.name);
            continue;
        }
        println!("\n=== {} ===", stage.name);
        let since = Instant::now();
        let mut course = StageRun {
            place,
            is_whole: words.is_empty(),
            tally: Tally::default(),
        };
        let outcome = (stage.run)(&mut course);
        if let Err(sentence) = &outcome {
            println!("{}: {sentence}", stage.name);
        }
        let tally = course.tally.closed(outcome.is_ok());
        total.add(tally);
        if tally.failed > 0 {
            failed.push(stage.name);
        }
        let word = if tally.failed > 0 { "FAILED" } else { "ok" };
        let seconds = since.elapsed().as_secs();
        lines.push(format!(
            "  {word:<8}  {:<28} {:>5} passed {:>3} failed {seconds:>5} s",
            stage.name, tally.passed, tally.failed
        ));
    }
    println!(
        "\n=== in {} s ===\n{}",
        started.elapsed().as_secs(),
        lines.join("\n")
    );
    println!("{} passed, {} failed", total.passed, total.failed);
    if total.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

impl StageRun<'_> {
    fn cargo(&self, words: &[&str]) -> Command {
        let mut cargo = self.place.command("cargo");
        cargo.args(words);
        cargo
    }

    /// Runs a command and adds up its test summaries.
    fn count(&mut self, command: &mut Command) -> Result<()> {
        let tally = &mut self.tally;
        let before = tally.failed;
        let succeeded = process::watch(command, &mut |line| tally.add(read_summary(line)))?;
        // A suite that stops before its summary, e.g. by a compile error or crash, has failed.
        if succeeded || tally.failed > before {
            Ok(())
        } else {
            Err(format!("`{}` failed", process::line(command)))
        }
    }
}

fn always(_: &Place) -> bool {
    true
}

fn wasm_in_chromium_exists(place: &Place) -> bool {
    place.root.join("core/webdriver.json").is_file()
}

fn consumers_exist(place: &Place) -> bool {
    package::exists(place) && place.root.join("tests/npm/package.json").is_file()
}

fn documents_exist(place: &Place) -> bool {
    npm::has_lock(place, "tests/documents")
}

fn format(course: &mut StageRun) -> Result<()> {
    process::run(&mut course.cargo(&["fmt", "--all", "--check"]))
}

fn clippy(course: &mut StageRun) -> Result<()> {
    process::run(&mut course.cargo(&[
        "clippy",
        "--quiet",
        "--all-targets",
        "--",
        "--deny",
        "warnings",
    ]))
}

fn clippy_wasm(course: &mut StageRun) -> Result<()> {
    tools::wasm_target()?;
    let mut cargo = course.cargo(&["clippy", "--quiet", "--target", "wasm32-unknown-unknown"]);
    for package in [
        "settlekit-core",
        "settlekit-service",
        "settlekit-web",
        "settlekit-demo",
        "settlekit-js",
    ] {
        cargo.args(["--package", package]);
    }
    tools::clang()?.serve(&mut cargo);
    process::run(cargo.args([
        "--features",
        "settlekit-js/client,settlekit-js/webhooks,settlekit-js/sandbox",
        "--",
        "--deny",
        "warnings",
    ]))
}

fn native(course: &mut StageRun) -> Result<()> {
    tools::pgbouncer()?;
    npm::install(course.place, "tests")?;
    course.count(&mut course.cargo(&["test", "--quiet", "--no-fail-fast"]))
}

/// The test disk needs root and loop devices.
fn power_exists(_: &Place) -> bool {
    process::is_root() && Path::new("/dev/loop-control").exists()
}

/// Power loss and full disks.
fn power(course: &mut StageRun) -> Result<()> {
    npm::install(course.place, "tests")?;
    course.count(&mut course.cargo(&[
        "test",
        "--quiet",
        "--package",
        "settlekit-server",
        "--test",
        "power",
    ]))
}

/// External validators over the printed documents.
fn documents(course: &mut StageRun) -> Result<()> {
    npm::install(course.place, "tests/documents")?;
    let mut command = npm_run(course, "tests/documents", "test");
    course.count(&mut command)
}

fn interface(course: &mut StageRun) -> Result<()> {
    interface::test(course.place, &mut course.tally)
}

/// Tests compiled to wasm, executed by the runner in `.cargo/config.toml`.
fn wasm_tests(course: &StageRun) -> Result<Command> {
    tools::wasm_target()?;
    tools::wasm_bindgen(course.place)?;
    // The runner does not support --quiet.
    let mut cargo = course.cargo(&[
        "test",
        "--lib",
        "--tests",
        "--target",
        "wasm32-unknown-unknown",
        "--no-fail-fast",
    ]);
    for package in ["settlekit-core", "settlekit-service"] {
        cargo.args(["--package", package]);
    }
    tools::clang()?.serve(&mut cargo);
    Ok(cargo)
}

fn wasm_under_node(course: &mut StageRun) -> Result<()> {
    let mut cargo = wasm_tests(course)?;
    course.count(&mut cargo)
}

fn wasm_in_chromium(course: &mut StageRun) -> Result<()> {
    let browser = tools::chromium()?;
    let mut cargo = wasm_tests(course)?;
    cargo
        .env("CHROMEDRIVER", browser.driver)
        .env("WASM_BINDGEN_USE_BROWSER", "1")
        .env("WASM_BINDGEN_TEST_TIMEOUT", "120");
    course.count(&mut cargo)
}

fn build_dashboard(course: &mut StageRun) -> Result<()> {
    let place = course.place;
    thread::scope(|scope| {
        // These builds end on a single core, so they run in parallel. Their own stages repeat and report failures.
        if course.is_whole {
            scope.spawn(|| package::build(place).and_then(|()| demo::build_service(place)));
        }
        dashboard::build(place)
    })
}

fn build_package(course: &mut StageRun) -> Result<()> {
    package::build(course.place)
}

fn npm_run(course: &mut StageRun, folder: &str, script: &str) -> Command {
    let mut command = course.place.command("npm");
    command
        .current_dir(course.place.root.join(folder))
        .args(["run", "--silent", script]);
    command
}

fn package_tests(course: &mut StageRun) -> Result<()> {
    package::build(course.place)?;
    // Checks that the files printed from core's catalogue are current.
    let mut cargo = course.cargo(&["test", "--package", "settlekit-js", "--features", "schema"]);
    course.count(cargo.args(["--quiet", "--no-fail-fast"]))?;
    let mut command = npm_run(course, "pkg", "test");
    course.count(&mut command)
}

fn package_lint(course: &mut StageRun) -> Result<()> {
    package::build(course.place)?;
    let mut command = npm_run(course, "pkg", "lint");
    process::run(&mut command)
}

fn consumers(course: &mut StageRun) -> Result<()> {
    package::build(course.place)?;
    npm::install(course.place, "tests/npm")?;
    let browser = tools::chromium()?;
    let server = Server::start(course.place, Content::Empty)?;
    let mut command = npm_run(course, "tests/npm", "test");
    course.count(
        command
            .envs(server.environment())
            .env("CHROMIUM", browser.chromium),
    )
}

/// Licences, sources and versions of dependencies by `deny.toml`; advisories if their database can be downloaded.
fn dependencies(course: &mut StageRun) -> Result<()> {
    tools::cargo_deny(course.place)?;
    let deny = |words: &[&str]| {
        let mut deny = course.place.command("cargo-deny");
        deny.arg("--locked").args(words);
        deny
    };
    // Warnings are unused exceptions.
    process::run(&mut deny(&[
        "check", "--deny", "warnings", "licenses", "sources", "bans",
    ]))?;
    let fetched = deny(&["fetch", "db"]).output();
    if fetched.is_ok_and(|output| output.status.success()) {
        process::run(&mut deny(&["check", "advisories"]))
    } else {
        println!("Advisories are not checked: their database cannot be fetched from here.");
        Ok(())
    }
}
