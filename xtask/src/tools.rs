//! Tools for builds and tests besides Rust and Node, installed on demand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::Result;
use crate::process;
use crate::workspace::Workspace;

/// The oldest clang that compiles SQLite for wasm32.
const CLANG_MAJOR_MIN: u32 = 14;
/// The newest version to look for by name; newer ones are found as plain `clang`.
const CLANG_MAJOR_MAX: u32 = 24;

/// Folders with the tools' programs.
pub(crate) fn folders(workspace: &Workspace) -> impl Iterator<Item = PathBuf> {
    let tools = OF_TESTS.into_iter().chain([&CARGO_MUTANTS]);
    tools.map(|tool| tool.folder(workspace).join("bin"))
}

/// Installs the standard library for wasm32.
pub(crate) fn wasm_target() -> Result<()> {
    let sysroot = process::read(Command::new("rustc").args(["--print", "sysroot"]))?;
    if Path::new(sysroot.trim())
        .join("lib/rustlib/wasm32-unknown-unknown")
        .is_dir()
    {
        return Ok(());
    }
    println!("Adding Rust's wasm32-unknown-unknown target (a download of 20 MB, a few seconds).");
    process::run(Command::new("rustup").args(["target", "add", "wasm32-unknown-unknown"]))
}

/// A program that Cargo installs.
pub(crate) struct Tool {
    name: &'static str,
    version: &'static str,
    programs: &'static [&'static str],
    options: &'static [&'static str],
    opt_level: &'static str,
    /// Build time.
    time: &'static str,
}

impl Tool {
    pub(crate) fn install(&self, workspace: &Workspace) -> Result<()> {
        install(workspace, self, BuildMode::Now)
    }

    fn folder(&self, workspace: &Workspace) -> PathBuf {
        let Tool { name, version, .. } = self;
        workspace.cache.join(format!("tools/{name}-{version}"))
    }

    /// Cargo installs programs atomically, so existing ones are complete.
    fn is_built(&self, workspace: &Workspace) -> bool {
        let bin = self.folder(workspace).join("bin");
        let mut programs = self.programs.iter();
        programs.all(|program| bin.join(program).is_file())
    }

    fn is_there(&self, workspace: &Workspace) -> bool {
        self.is_built(workspace) || self.is_on_path()
    }

    /// Whether exactly this version is on PATH.
    fn is_on_path(&self) -> bool {
        let mut programs = self.programs.iter();
        programs.all(|program| found_on_path(program, self.version).is_some())
    }
}

/// The program on PATH, if it has exactly this version.
fn found_on_path(program: &str, version: &str) -> Option<PathBuf> {
    let file = process::on_path(program)?;
    let output = Command::new(&file).arg("--version").output().ok()?;
    has_version(&String::from_utf8_lossy(&output.stdout), version).then_some(file)
}

/// Whether a program's output `said` names this version: `trunk 0.21.14`.
fn has_version(said: &str, version: &str) -> bool {
    said.split_whitespace().any(|word| word == version)
}

/// Builds the dashboard. The latest version that this compiler builds.
// Only trunk's own lock file resolves. Its release profile optimises for 20 minutes; ours does not.
pub(crate) const TRUNK: Tool = Tool {
    name: "trunk",
    version: "0.21.14",
    programs: &["trunk"],
    options: &["--locked"],
    opt_level: "0",
    time: "five to ten minutes on two cores",
};

/// wasm-bindgen's command line and test runner. Must equal the crate's version in the root `Cargo.toml`.
// Without --locked: its published lock file does not resolve.
pub(crate) const WASM_BINDGEN: Tool = Tool {
    name: "wasm-bindgen-cli",
    version: "0.2.130",
    programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
    options: &[],
    opt_level: "1",
    time: "three minutes on two cores",
};

/// Splits the dashboard's program. Must match the version of `wasm_split_helpers` in the root `Cargo.toml`.
pub(crate) const WASM_SPLIT: Tool = Tool {
    name: "wasm_split_cli_support",
    version: "0.2.4",
    programs: &["wasm-split-cli"],
    options: &["--locked", "--features", "build-binary"],
    opt_level: "1",
    time: "a minute on two cores",
};

/// The version of binaryen in `web/package.json` and `pkg/package.json`.
const BINARYEN: &str = "132";

/// binaryen's `wasm-opt`: a native one on PATH, or that of the npm packages in a folder, which is slower.
pub(crate) fn wasm_opt(workspace: &Workspace, folder: &str) -> Command {
    let npm = workspace
        .root
        .join(folder)
        .join("node_modules/.bin/wasm-opt");
    workspace.command(found_on_path("wasm-opt", BINARYEN).unwrap_or(npm))
}

/// Checks dependencies.
pub(crate) const CARGO_DENY: Tool = Tool {
    name: "cargo-deny",
    version: "0.20.2",
    programs: &["cargo-deny"],
    options: &["--locked"],
    opt_level: "0",
    time: "a minute on two cores",
};

/// Mutation testing.
pub(crate) const CARGO_MUTANTS: Tool = Tool {
    name: "cargo-mutants",
    version: "27.1.0",
    programs: &["cargo-mutants"],
    ..CARGO_DENY
};

/// The tools of the tests.
pub(crate) const OF_TESTS: [&Tool; 4] = [&WASM_BINDGEN, &WASM_SPLIT, &TRUNK, &CARGO_DENY];

/// Tools to build before the dashboard, as the rest of a sentence; empty if all are installed.
pub(crate) fn missing_dashboard_tools(workspace: &Workspace) -> String {
    let wanted = [&WASM_BINDGEN, &WASM_SPLIT, &TRUNK]
        .into_iter()
        .filter(|tool| !tool.is_there(workspace))
        .map(|tool| format!("{} ({})", tool.name, tool.time))
        .collect::<Vec<_>>()
        .join(", ");
    match wanted.as_str() {
        "" => wanted,
        wanted => format!(", which needs {wanted}"),
    }
}

/// Installs the tools of the tests, at low priority and in parallel with the first stages. The stage that needs a tool reports its
/// failure.
pub(crate) fn prepare(workspace: &Workspace) {
    let _ = clang();
    let _ = chromium();
    for tool in OF_TESTS {
        let _ = install(workspace, tool, BuildMode::Idle);
    }
}

/// Whether a build is waited for or runs in the background.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BuildMode {
    Now,
    Idle,
}

/// One lock for cargo's builds and one for Debian packages. A second caller waits and finds the tool installed.
static BUILDING: Mutex<()> = Mutex::new(());
static UNPACKING: Mutex<()> = Mutex::new(());

fn lock_exclusively(mutex: &'static Mutex<()>) -> MutexGuard<'static, ()> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn install(workspace: &Workspace, tool: &Tool, pace: BuildMode) -> Result<()> {
    let _alone = lock_exclusively(&BUILDING);
    if tool.is_there(workspace) {
        return Ok(());
    }
    let Tool { name, version, .. } = tool;
    let folder = tool.folder(workspace);
    println!(
        "Building {name} {version} into {} (once; {}).",
        folder.display(),
        tool.time
    );
    let started = Instant::now();
    // Outside the tools' folders and kept until done, so that an interrupted build resumes.
    let scratch = workspace
        .cache
        .join(format!("tools/build-{name}-{version}"));
    let mut command = match pace {
        BuildMode::Now => workspace.command("cargo"),
        BuildMode::Idle => {
            let mut nice = workspace.command("nice");
            nice.args(["-n", "19", "cargo", "--quiet"]);
            nice
        }
    };
    command
        .current_dir(&workspace.cache)
        .arg("install")
        .args(tool.options)
        .arg("--no-default-features")
        .arg("--root")
        .arg(&folder)
        .arg(format!("{name}@{version}"))
        .env("CARGO_TARGET_DIR", &scratch)
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", tool.opt_level)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort");
    process::run(&mut command)?;
    println!("Built {name} in {} s.", started.elapsed().as_secs());
    // Only frees disk space.
    let _ = fs::remove_dir_all(&scratch);
    Ok(())
}

/// A browser and its driver.
pub(crate) struct Browser {
    pub(crate) chromium: PathBuf,
    pub(crate) driver: PathBuf,
}

pub(crate) fn chromium() -> Result<Browser> {
    let find = || {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        Some(Browser {
            chromium: names.into_iter().find_map(process::on_path)?,
            driver: process::on_path("chromedriver")?,
        })
    };
    let packages = ["chromium", "chromium-driver"];
    let cost = "120 MB, a minute or two";
    found_or_unpacked(find, "Chromium with its driver", &packages, cost)
}

/// Finds a program, or installs its Debian packages and finds it then.
fn found_or_unpacked<T>(
    find: impl Fn() -> Option<T>,
    what: &str,
    packages: &[&str],
    cost: &str,
) -> Result<T> {
    let _alone = lock_exclusively(&UNPACKING);
    if let Some(found) = find() {
        return Ok(found);
    }
    unpack(what, packages, cost)?;
    find().ok_or_else(|| format!("{what} was installed but is not on PATH"))
}

/// Installs a connection pooler for PostgreSQL, without starting it.
pub(crate) fn pgbouncer() -> Result<()> {
    let find = || process::on_path("pgbouncer");
    found_or_unpacked(find, "PgBouncer", &["pgbouncer"], "1 MB, seconds").map(drop)
}

/// A C compiler for wasm32.
pub(crate) struct Clang {
    clang: PathBuf,
    archiver: PathBuf,
}

impl Clang {
    /// Uses it for C code in a build for wasm32.
    pub(crate) fn serve(&self, cargo: &mut Command) {
        cargo
            .env("CC_wasm32_unknown_unknown", &self.clang)
            .env("AR_wasm32_unknown_unknown", &self.archiver);
    }
}

pub(crate) fn clang() -> Result<Clang> {
    let packages = ["clang", "llvm"].map(|name| format!("{name}-{CLANG_MAJOR_MIN}"));
    let packages = packages.each_ref().map(String::as_str);
    found_or_unpacked(find_clang, "clang", &packages, "150 MB, a minute or two")
}

fn find_clang() -> Option<Clang> {
    let numbered = (CLANG_MAJOR_MIN..=CLANG_MAJOR_MAX).rev().find_map(|major| {
        let clang = process::on_path(&format!("clang-{major}"))?;
        Some(Clang {
            clang,
            archiver: process::on_path(&format!("llvm-ar-{major}"))?,
        })
    });
    numbered.or_else(|| {
        let clang = process::on_path("clang")?;
        let archiver = process::on_path("llvm-ar")?;
        let version = process::read(Command::new(&clang).arg("-dumpversion")).ok()?;
        let major: u32 = version.trim().split('.').next()?.parse().ok()?;
        (major >= CLANG_MAJOR_MIN).then_some(Clang { clang, archiver })
    })
}

/// Installs Debian packages as root, else reports which ones are needed.
pub(crate) fn debian(what: &str, packages: &[&str], cost: &str) -> Result<()> {
    let _alone = lock_exclusively(&UNPACKING);
    unpack(what, packages, cost)
}

fn unpack(what: &str, packages: &[&str], cost: &str) -> Result<()> {
    let wanted = packages.join(" ");
    if !process::is_root() || process::on_path("apt-get").is_none() {
        return Err(format!(
            "{what} is needed for the tests and not on PATH. On Debian: sudo apt-get install {wanted}"
        ));
    }
    println!("Installing {what} from Debian ({wanted}; {cost}).");
    let mut install = Command::new("apt-get");
    install
        .args(["install", "--yes", "--no-install-recommends"])
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive")
        // Prevents packages from starting services (invoke-rc.d).
        .env("RUNLEVEL", "1");
    install.stdout(Stdio::null());
    if process::run(&mut install).is_ok() {
        return Ok(());
    }
    // The package lists may be missing or outdated.
    process::run(Command::new("apt-get").arg("update").stdout(Stdio::null()))?;
    process::run(&mut install)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{BINARYEN, has_version};

    #[test]
    fn a_version_must_match_exactly() {
        assert!(has_version("trunk 0.21.14\n", "0.21.14"));
        assert!(has_version("wasm-bindgen 0.2.130 (a1b2c3d4e)", "0.2.130"));
        assert!(has_version(
            "wasm-opt version 132 (version_132)\n",
            BINARYEN
        ));
        for other in ["trunk 0.21.141", "trunk 0.21.14-beta.1", "error: 0.21", ""] {
            assert!(!has_version(other, "0.21.14"), "{other}");
        }
    }

    #[test]
    fn the_packages_have_the_version_of_wasm_opt_that_is_looked_for() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let version = format!("\"binaryen\": \"{BINARYEN}.0.0\"");
        for folder in ["web", "pkg"] {
            let package = fs::read_to_string(root.join(folder).join("package.json"));
            assert!(package.expect("a package").contains(&version), "{folder}");
        }
    }
}
