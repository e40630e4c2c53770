//! Paths: the clone, the cache outside it, the shared target directory.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::digest::Digest;
use crate::{Result, file, tools};

/// Features of native builds: those that tests need, and the dashboard in the program.
const NATIVE_FEATURES: &str = "settlekit-js/schema,settlekit-server/dashboard";

pub(crate) struct Workspace {
    /// Root of the clone.
    pub(crate) root: PathBuf,
    /// Cache shared by clones; can be deleted.
    pub(crate) cache: PathBuf,
    /// Cargo's target directory for all builds.
    pub(crate) target: PathBuf,
}

/// Lock of the target directory; released when dropped, or when the process exits or is replaced.
pub(crate) struct TargetLock {
    file: File,
}

impl TargetLock {
    /// The lock as another process's standard input, which keeps it locked until that process exits too.
    pub(crate) fn share(&self) -> Result<Stdio> {
        let file = self.file.try_clone();
        file.map(Stdio::from)
            .map_err(|error| format!("cannot share the lock of the target directory: {error}"))
    }
}

impl Workspace {
    pub(crate) fn find() -> Result<Workspace> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .ok_or("xtask lies in no workspace")?
            .to_owned();
        let cache = match (
            env::var_os("SETTLEKIT_CACHE"),
            env::var_os("XDG_CACHE_HOME"),
            env::var_os("HOME"),
        ) {
            (Some(cache), _, _) => PathBuf::from(cache),
            (None, Some(cache), _) => PathBuf::from(cache).join("settlekit"),
            (None, None, Some(home)) => PathBuf::from(home).join(".cache/settlekit"),
            (None, None, None) => {
                return Err("no workspace for the cache: set SETTLEKIT_CACHE".to_owned());
            }
        };
        // One target directory per toolchain. Cargo distinguishes everything else.
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(chosen) => root.join(chosen),
            None => cache
                .join("target")
                .join(Digest::new().path(&root, "rust-toolchain.toml")?.finish()),
        };
        file::create_folder(&target)?;
        Ok(Workspace {
            root,
            cache,
            target,
        })
    }

    /// A command in the clone, with the project's tools first on PATH and the shared target directory.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command.env("PATH", self.path());
        command.env("CARGO_TARGET_DIR", &self.target);
        // Cargo's variables about xtask do not apply to the packages built from here.
        for (name, _) in env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
                command.env_remove(&*name);
            }
        }
        command
    }

    /// `cargo WORD` for everything native, always with the same features: another set would compile core and service again.
    pub(crate) fn native(&self, word: &str) -> Result<Command> {
        // A development server reads the dashboard's files on request; only their folder must exist.
        file::create_folder(&self.root.join("dist"))?;
        let mut cargo = self.command("cargo");
        cargo.args([word, "--quiet", "--features", NATIVE_FEATURES]);
        Ok(cargo)
    }

    fn path(&self) -> OsString {
        let mut folders: Vec<PathBuf> = tools::folders(self).collect();
        folders.push(self.root.join("web/node_modules/.bin"));
        folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
        env::join_paths(folders).unwrap_or_else(|_| env::var_os("PATH").unwrap_or_default())
    }

    /// Locks the shared target directory, waiting for other commands.
    ///
    /// Cargo compares file times and does not distinguish packages of different clones: after a build of another clone, older
    /// sources here would count as built. A change of clone therefore removes the records of the project's own packages.
    pub(crate) fn lock_target(&self) -> Result<TargetLock> {
        let path = self.target.join("settlekit.lock");
        // Readable, because it may become a process's standard input.
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path)
            .map_err(file::cannot("write", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let target = self.target.display();
                println!("Another command is building in {target}: waiting for it.");
                file.lock().map_err(file::cannot("lock", &path))?;
            }
            Err(TryLockError::Error(error)) => return Err(file::cannot("lock", &path)(error)),
        }
        let owner = self.target.join("settlekit.clone");
        let clone = self.root.display().to_string();
        if fs::read_to_string(&owner).ok().as_deref() != Some(clone.as_str()) {
            clear_own_fingerprints(&self.target)?;
            file::write(&owner, clone)?;
        }
        Ok(TargetLock { file })
    }
}

/// Removes cargo's build records of the project's own packages, for all profiles and targets.
fn clear_own_fingerprints(target: &Path) -> Result<()> {
    let folders = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries
            .map(|entry| entry.path())
            .filter(|path| path.is_dir())
            .collect()
    };
    for upper in folders(target) {
        for profile in folders(&upper).into_iter().chain([upper]) {
            for record in folders(&profile.join(".fingerprint")) {
                let name = file::name(&record);
                if name.starts_with("settlekit-") || name.starts_with("xtask-") {
                    file::remove_folder(&record)?;
                }
            }
        }
    }
    Ok(())
}
