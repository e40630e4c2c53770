//! `cargo xtask bench`: every comparison the project makes of itself, as one table.
//!
//! Nothing here judges: a number too low is for people to see, and a timed test would fail on a busy machine.

use std::fs;
use std::process::ExitCode;

use crate::place::Place;
use crate::{Result, dashboard, npm, package, process};

/// What is measured in Node, each a script that prints rows of the table.
const SCRIPTS: [&str; 2] = ["bench/page.mjs", "bench/sizes.mjs"];

/// Measures, and prints the table; with `--record` also writes it to `docs/benchmarks.md`. Further words go to the native
/// half: `--movements N` makes a smaller list than the ten million of the bar.
pub(crate) fn bench(place: &Place, words: &[&str]) -> Result<ExitCode> {
    let record = words.contains(&"--record");
    let rest: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| *word != "--record")
        .collect();
    let _lock = place.lock_target()?;
    dashboard::build(place)?;
    package::build(place)?;
    println!("Measuring (about ten minutes with ten million movements).");
    let mut rows = Vec::new();
    let mut cargo = place.command("cargo");
    cargo.args([
        "bench",
        "--quiet",
        "--package",
        "settlekit-tests",
        "--bench",
        "bench",
        "--",
    ]);
    measure(cargo.args(&rest), &mut rows)?;
    npm::install(place, "pkg")?;
    for script in SCRIPTS {
        let mut node = place.command("node");
        node.current_dir(place.root.join("pkg")).arg(script);
        measure(&mut node, &mut rows)?;
    }
    if record {
        let file = place.root.join("docs/benchmarks.md");
        let command: Vec<&str> = ["cargo xtask bench"]
            .into_iter()
            .chain(words.iter().copied())
            .collect();
        fs::write(&file, document(&command.join(" "), &rows))
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(command: &mut std::process::Command, rows: &mut Vec<String>) -> Result<()> {
    let mut see = |line: &str| {
        if line.starts_with('|') {
            rows.push(line.to_owned());
        }
    };
    if process::watch(command, &mut see)? {
        Ok(())
    } else {
        Err(format!("`{}` failed", process::line(command)))
    }
}

fn document(command: &str, rows: &[String]) -> String {
    format!(
        "# Benchmarks\n\nPrinted by `{command}`; not written by hand. What is compared was measured in turns in one run, so the ratios \
         carry over to other machines; the absolute figures are those of the machine and the minute.\n\n{}\n",
        rows.join("\n")
    )
}
