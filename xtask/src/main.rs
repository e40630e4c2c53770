//! The project's commands. One file per concern, and no dependencies, because all of it is compiled before the first command runs.

mod bench;
mod component;
mod dashboard;
mod demo;
mod dev;
mod digest;
mod dist;
mod file;
mod mutants;
mod npm;
mod package;
mod print;
mod process;
mod product;
mod python;
mod run;
mod site;
mod split;
mod test;
mod tools;
mod wasm;
mod workspace;

use std::process::ExitCode;

use workspace::Workspace;

/// The error is a message for the terminal.
type Result<T> = std::result::Result<T, String>;

const HELP: &str = "\
cargo xtask <command>

  run     installs missing tools, builds everything for development and serves it on http://127.0.0.1:8080: the API
          first, then the dashboard once it is built
  test    installs missing tools and runs all tests; the last line is `N passed, N failed`
  watch   serves the dashboard with live reload on http://127.0.0.1:8085, using the API of `run`
  spec    runs one browser spec: `spec keyboard`; further arguments go to Node's test runner
  build   builds the dashboard, the server (release) and the npm package
  dist    builds the release: `out/settlekit`, the program with the dashboard inside, and `out/demo`, a static folder in
          which the dashboard talks to the service in the browser; `demo --at /FOLDER` builds it for a subfolder of an
          origin. `dist site` builds the documentation, `out/site`, with the demo at `/demo`
  bench   runs the benchmarks and prints one table; `--record` writes it to docs/benchmarks.md
  check   runs the quick half of `test`: formatting, clippy, the native tests
  package builds the npm package alone
  dev     builds the npm package settlekit-dev, with the dashboard and the npm package that it is made of
  component  builds the core as a WebAssembly component, `component/dist/settlekit-core.wasm`
  dashboard  builds the dashboard alone, into `dist`, where a development server finds it
  print   regenerates every file that is printed from code: documents, recordings, the npm package's types and reports
  tools   installs the tools of the other commands, and nothing else
  mutants runs mutation tests on the code that handles money and secrets; takes hours. Further arguments go to
          cargo-mutants: `--list`, `--file core/src/sign.rs`, `--shard 0/8`
  version prints the version of the workspace

`cargo xtask test <words>` runs the stages whose name contains one of the words; `cargo xtask test --list` lists them.
Downloads and builds outside the clone are kept in one folder, safe to delete at any time:
$SETTLEKIT_CACHE, else $XDG_CACHE_HOME/settlekit, else ~/.cache/settlekit.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match dispatch(&words) {
        Ok(code) => code,
        Err(sentence) => {
            eprintln!("xtask: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(words: &[&str]) -> Result<ExitCode> {
    let Some((&command, rest)) = words.split_first() else {
        print!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    };
    match command {
        "run" => run::run(&Workspace::find()?, rest),
        "test" => test::test(&Workspace::find()?, rest),
        "bench" => bench::bench(&Workspace::find()?, rest),
        "check" => test::test(&Workspace::find()?, &["format", "clippy", "native"]),
        "build" => {
            locked(|workspace| run::build(workspace).and_then(|()| package::build(workspace)))
        }
        "dist" => dist::dist(&Workspace::find()?, rest),
        "package" => locked(package::build),
        "dev" => locked(dev::build),
        "component" => locked(component::build),
        "dashboard" if rest == [run::LOCK_HELD] => run::dashboard_beside(&Workspace::find()?),
        "dashboard" => locked(dashboard::build),
        "watch" => dashboard::watch(&Workspace::find()?, rest),
        "tools" => {
            let workspace = Workspace::find()?;
            tools::wasm_target()?;
            for tool in tools::OF_TESTS {
                tool.install(&workspace)?;
            }
            tools::chromium()?;
            tools::clang()?;
            tools::pgbouncer()?;
            python::second(&workspace)?;
            Ok(ExitCode::SUCCESS)
        }
        "spec" => test::spec(&Workspace::find()?, rest),
        "print" => print::print(&Workspace::find()?),
        "mutants" => mutants::mutants(&Workspace::find()?, rest),
        "version" => {
            println!("{}", env!("CARGO_PKG_VERSION"));
            Ok(ExitCode::SUCCESS)
        }
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        unknown => {
            eprint!("unknown command `{unknown}`\n\n{HELP}");
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Builds under the lock of the target directory.
fn locked(build: impl FnOnce(&Workspace) -> Result<()>) -> Result<ExitCode> {
    let workspace = Workspace::find()?;
    let _lock = workspace.lock_target()?;
    build(&workspace)?;
    Ok(ExitCode::SUCCESS)
}
