//! `cargo xtask bench`: all benchmarks of the project in one run.
//!
//! Results are not checked: a person judges them, because a timed test would fail on a busy machine.

use std::process::{Command, ExitCode};

use crate::test::server::{Content, Server};
use crate::workspace::Workspace;
use crate::{Result, dashboard, dev, file, npm, process, python, site, tools};

/// Mock servers that the sandbox is compared with.
const MOCKS: &str = "tests/bench/mocks";

/// Runs and prints the benchmarks; `--record` also writes them to `docs/benchmarks.md`. Other arguments go to the native half:
/// `--movements N` and `--events N` shorten the lists of ten million, `--pgledger FILE` compares with that ledger's public SQL,
/// which must be preceded by its id function.
pub(crate) fn bench(workspace: &Workspace, words: &[&str]) -> Result<ExitCode> {
    let record = words.contains(&"--record");
    let rest = words.iter().filter(|word| **word != "--record");
    let _lock = workspace.lock_target()?;
    dashboard::build(workspace)?;
    site::build(workspace)?;
    dev::build(workspace)?;
    // PostgreSQL is in the packages of `tests`.
    for folder in ["tests", "pkg", "contracts", MOCKS] {
        npm::install(workspace, folder)?;
    }
    let localstripe = python::localstripe(workspace)?;
    let prism = workspace.root.join(MOCKS).join("node_modules/.bin/prism");
    println!("Measuring (about ten minutes with ten million movements).");
    let mut native = workspace.command("cargo");
    native.args(["bench", "--quiet", "--package", "settlekit-tests"]);
    native.args(["--bench", "bench", "--"]);
    let node = |script: &str| {
        let mut node = workspace.command("node");
        node.current_dir(workspace.root.join("pkg")).arg(script);
        node.env("LOCALSTRIPE", &localstripe).env("PRISM", &prism);
        Ok::<_, String>(fenced(&measure(&mut node)?))
    };
    let mut gas = workspace.command("node");
    gas.current_dir(workspace.root.join("contracts"))
        .arg("bench/gas.mjs");
    let mut parts = vec![
        ("The service", measure(native.args(rest))?),
        ("Checking an answer in Node", node("bench/page.mjs")?),
        ("Validating a body in Node", node("bench/body.mjs")?),
        ("Signatures in Node", node("bench/signatures.mjs")?),
        ("The sandbox in Node", node("bench/sandbox.mjs")?),
        ("What is downloaded", node("bench/sizes.mjs")?),
        ("The gas of a sweep", measure(&mut gas)?),
    ];
    parts.extend(in_browser(workspace)?);
    if record {
        let file = workspace.root.join("docs/benchmarks.md");
        // Paths depend on the machine.
        let shown = words.iter().map(|word| {
            let is_path = word.contains(std::path::MAIN_SEPARATOR);
            if is_path { "FILE" } else { word }
        });
        let command: Vec<&str> = std::iter::once("cargo xtask bench").chain(shown).collect();
        file::write(&file, document(&command.join(" "), &parts))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Browser benchmarks, against the test server with a year of demo data.
fn in_browser(workspace: &Workspace) -> Result<Vec<(&'static str, String)>> {
    npm::install(workspace, "tests/browser")?;
    let browser = tools::chromium()?;
    let server = Server::start(workspace, Content::Demo)?;
    let measured = |script: &str| -> Result<String> {
        let mut node = workspace.command("node");
        node.current_dir(workspace.root.join("tests/browser"))
            .arg(script)
            .envs(server.environment())
            .env("CHROMIUM", &browser.chromium);
        Ok(fenced(&measure(&mut node)?))
    };
    Ok(vec![
        (
            "The first pages, by Lighthouse",
            measured("bench/lighthouse.mjs")?,
        ),
        (
            "From a click to the next picture",
            measured("bench/interaction.mjs")?,
        ),
        ("Memory over an hour of use", measured("bench/memory.mjs")?),
    ])
}

/// Output of a program, also shown as it is printed.
fn measure(command: &mut Command) -> Result<String> {
    let mut lines = Vec::new();
    if process::watch(command, &mut |line| lines.push(line.to_owned()))? {
        Ok(lines.join("\n"))
    } else {
        Err(format!("`{}` failed", process::line(command)))
    }
}

fn fenced(text: &str) -> String {
    format!("```text\n{text}\n```")
}

fn document(command: &str, parts: &[(&str, String)]) -> String {
    let mut document = format!(
        "# Benchmarks\n\nPrinted by `{command}`, not written by hand. What is compared was measured in turns in one run, so the \
         ratios carry over to other machines; the absolute figures are those of one machine in one minute.\n"
    );
    for (title, text) in parts {
        document.push_str(&format!("\n## {title}\n\n{text}\n"));
    }
    document
}
