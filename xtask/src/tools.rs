//! Tools for builds and tests besides Rust and Node, installed on demand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::Result;
use crate::place::Place;
use crate::process;

/// The latest trunk that this compiler builds.
const TRUNK: &str = "0.21.14";
/// Must equal the crate's version in the root `Cargo.toml`.
const WASM_BINDGEN: &str = "0.2.130";
/// Must match the version of `wasm_split_helpers` in the root `Cargo.toml`.
const WASM_SPLIT: &str = "0.2.4";
const CARGO_DENY: &str = "0.20.2";
const CARGO_MUTANTS: &str = "27.1.0";
/// The oldest clang that compiles SQLite for wasm32.
const CLANG_MAJOR_MIN: u32 = 14;
/// The newest version to look for by name; newer ones are found as plain `clang`.
const CLANG_MAJOR_MAX: u32 = 24;

/// Folders with the tools' programs.
pub(crate) fn folders(place: &Place) -> impl Iterator<Item = PathBuf> {
    TOOLS.iter().map(|tool| tool.folder(place).join("bin"))
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

struct Tool {
    name: &'static str,
    version: &'static str,
    programs: &'static [&'static str],
    options: &'static [&'static str],
    opt_level: &'static str,
    /// Build time.
    time: &'static str,
}

impl Tool {
    fn folder(&self, place: &Place) -> PathBuf {
        let Tool { name, version, .. } = self;
        place.cache.join(format!("tools/{name}-{version}"))
    }

    /// Cargo installs programs atomically, so existing ones are complete.
    fn is_built(&self, place: &Place) -> bool {
        let bin = self.folder(place).join("bin");
        let mut programs = self.programs.iter();
        programs.all(|program| bin.join(program).is_file())
    }

    fn is_there(&self, place: &Place) -> bool {
        self.is_built(place) || self.is_on_path()
    }

    /// Whether exactly this version is on PATH.
    fn is_on_path(&self) -> bool {
        let mut programs = self.programs.iter();
        programs.all(|program| {
            let output = process::on_path(program)
                .and_then(|file| Command::new(file).arg("--version").output().ok());
            output.is_some_and(|output| {
                has_version(&String::from_utf8_lossy(&output.stdout), self.version)
            })
        })
    }
}

/// Whether a program's output `said` names this version: `trunk 0.21.14`.
fn has_version(said: &str, version: &str) -> bool {
    said.split_whitespace().any(|word| word == version)
}

// Only trunk's own lock file resolves. Its release profile optimises for 20 minutes; ours does not.
const TRUNK_TOOL: Tool = Tool {
    name: "trunk",
    version: TRUNK,
    programs: &["trunk"],
    options: &["--locked"],
    opt_level: "0",
    time: "five to ten minutes on two cores",
};

// Without --locked: its published lock file does not resolve.
const WASM_BINDGEN_TOOL: Tool = Tool {
    name: "wasm-bindgen-cli",
    version: WASM_BINDGEN,
    programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
    options: &[],
    opt_level: "1",
    time: "three minutes on two cores",
};

const WASM_SPLIT_TOOL: Tool = Tool {
    name: "wasm_split_cli_support",
    version: WASM_SPLIT,
    programs: &["wasm-split-cli"],
    options: &["--locked", "--features", "build-binary"],
    opt_level: "1",
    time: "a minute on two cores",
};

const CARGO_DENY_TOOL: Tool = Tool {
    name: "cargo-deny",
    version: CARGO_DENY,
    programs: &["cargo-deny"],
    options: &["--locked"],
    opt_level: "0",
    time: "a minute on two cores",
};

const CARGO_MUTANTS_TOOL: Tool = Tool {
    name: "cargo-mutants",
    version: CARGO_MUTANTS,
    programs: &["cargo-mutants"],
    options: &["--locked"],
    opt_level: "0",
    time: "a minute on two cores",
};

const TOOLS: [&Tool; 5] = [
    &TRUNK_TOOL,
    &WASM_BINDGEN_TOOL,
    &WASM_SPLIT_TOOL,
    &CARGO_DENY_TOOL,
    &CARGO_MUTANTS_TOOL,
];

/// Installs trunk, which builds the dashboard.
pub(crate) fn trunk(place: &Place) -> Result<()> {
    install(place, &TRUNK_TOOL, BuildMode::Now)
}

/// Installs wasm-bindgen's command line and test runner.
pub(crate) fn wasm_bindgen(place: &Place) -> Result<()> {
    install(place, &WASM_BINDGEN_TOOL, BuildMode::Now)
}

/// Installs the splitter of the dashboard's program.
pub(crate) fn wasm_split(place: &Place) -> Result<()> {
    install(place, &WASM_SPLIT_TOOL, BuildMode::Now)
}

/// Installs cargo-deny, which checks dependencies.
pub(crate) fn cargo_deny(place: &Place) -> Result<()> {
    install(place, &CARGO_DENY_TOOL, BuildMode::Now)
}

/// Installs cargo-mutants, for mutation testing.
pub(crate) fn cargo_mutants(place: &Place) -> Result<()> {
    install(place, &CARGO_MUTANTS_TOOL, BuildMode::Now)
}

/// Tools to build before the dashboard, as the rest of a sentence; empty if all are installed.
pub(crate) fn missing_dashboard_tools(place: &Place) -> String {
    let wanted = [&WASM_BINDGEN_TOOL, &WASM_SPLIT_TOOL, &TRUNK_TOOL]
        .into_iter()
        .filter(|tool| !tool.is_there(place))
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
pub(crate) fn prepare(place: &Place) {
    let _ = clang();
    let _ = chromium();
    for tool in [
        &WASM_BINDGEN_TOOL,
        &WASM_SPLIT_TOOL,
        &TRUNK_TOOL,
        &CARGO_DENY_TOOL,
    ] {
        let _ = install(place, tool, BuildMode::Idle);
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

fn lock_exclusively(place: &'static Mutex<()>) -> MutexGuard<'static, ()> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

fn install(place: &Place, tool: &Tool, pace: BuildMode) -> Result<()> {
    let _alone = lock_exclusively(&BUILDING);
    if tool.is_there(place) {
        return Ok(());
    }
    let Tool { name, version, .. } = tool;
    let folder = tool.folder(place);
    println!(
        "Building {name} {version} into {} (once; {}).",
        folder.display(),
        tool.time
    );
    let started = Instant::now();
    // Outside the tools' folders and kept until done, so that an interrupted build resumes.
    let scratch = place.cache.join(format!("tools/build-{name}-{version}"));
    let mut command = match pace {
        BuildMode::Now => place.command("cargo"),
        BuildMode::Idle => {
            let mut nice = place.command("nice");
            nice.args(["-n", "19", "cargo", "--quiet"]);
            nice
        }
    };
    command
        .current_dir(&place.cache)
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
    let _alone = lock_exclusively(&UNPACKING);
    let find = || {
        let chromium = ["chromium", "chromium-browser", "google-chrome"]
            .into_iter()
            .find_map(process::on_path)?;
        Some(Browser {
            chromium,
            driver: process::on_path("chromedriver")?,
        })
    };
    match find() {
        Some(browser) => Ok(browser),
        None => {
            unpack(
                "Chromium and its driver",
                &["chromium", "chromium-driver"],
                "120 MB, a minute or two",
            )?;
            find().ok_or("Chromium was installed but is not on PATH".to_owned())
        }
    }
}

/// Installs a connection pooler for PostgreSQL, without starting it.
pub(crate) fn pgbouncer() -> Result<()> {
    let _alone = lock_exclusively(&UNPACKING);
    if process::on_path("pgbouncer").is_some() {
        return Ok(());
    }
    unpack("PgBouncer", &["pgbouncer"], "1 MB, seconds")
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
    let _alone = lock_exclusively(&UNPACKING);
    match find_clang() {
        Some(clang) => Ok(clang),
        None => {
            let packages = [
                format!("clang-{CLANG_MAJOR_MIN}"),
                format!("llvm-{CLANG_MAJOR_MIN}"),
            ];
            unpack(
                "clang",
                &packages.each_ref().map(String::as_str),
                "150 MB, a minute or two",
            )?;
            find_clang().ok_or("clang was installed but is not on PATH".to_owned())
        }
    }
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
    use super::has_version;

    #[test]
    fn a_version_must_match_exactly() {
        assert!(has_version("trunk 0.21.14\n", "0.21.14"));
        assert!(has_version("wasm-bindgen 0.2.130 (a1b2c3d4e)", "0.2.130"));
        for other in ["trunk 0.21.141", "trunk 0.21.14-beta.1", "error: 0.21", ""] {
            assert!(!has_version(other, "0.21.14"), "{other}");
        }
    }
}
