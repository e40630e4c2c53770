//! Output of builds, by the fingerprint of its inputs: kept in the clone, and in the cache for other clones of the same sources.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::digest::{Digest, Stamp};
use crate::workspace::Workspace;
use crate::{Result, file};

/// How many outputs of a build the cache keeps.
const KEPT: usize = 4;

/// The folder that a build fills.
pub(crate) struct Product {
    folder: PathBuf,
    stamp: Stamp,
    /// Where it is copied to, before it replaces the folder.
    copy: PathBuf,
    /// All outputs of this build in the cache.
    cache: PathBuf,
    cached: PathBuf,
    root: PathBuf,
    sources: Vec<String>,
    /// The fingerprint of the inputs before the build.
    before: String,
}

/// What every build depends on: compiler options, and the versions of tools.
const COMMON_SOURCES: [&str; 5] = [
    ".cargo/config.toml",
    "Cargo.lock",
    "Cargo.toml",
    "rust-toolchain.toml",
    "xtask/src/tools.rs",
];

impl Product {
    /// The product of a build in a folder of the clone, by its inputs.
    pub(crate) fn new(
        workspace: &Workspace,
        name: &str,
        folder: &str,
        sources: &[&str],
    ) -> Result<Self> {
        let sources = sources.iter().chain(&COMMON_SOURCES);
        let sources: Vec<String> = sources.map(|source| (*source).to_owned()).collect();
        let digest = digest_of(&workspace.root, &sources)?;
        let cache = workspace.cache.join("built").join(name);
        let own = workspace.root.join("target/xtask").join(name);
        Ok(Self {
            folder: workspace.root.join(folder),
            stamp: Stamp::new(own.with_extension("stamp"), &digest),
            copy: own.with_extension("copy"),
            cached: cache.join(digest.finish()),
            cache,
            root: workspace.root.clone(),
            sources,
            before: digest.finish(),
        })
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the folder is up to date. If not, but another clone built it, it is copied.
    pub(crate) fn is_there(&self) -> Result<bool> {
        if self.stamp.is_current() && self.folder.is_dir() {
            return Ok(true);
        }
        if !self.cached.is_dir() {
            return Ok(false);
        }
        file::remove_folder(&self.copy)?;
        copy_folder(&self.cached, &self.copy)?;
        if let Some(above) = self.folder.parent() {
            file::create_folder(above)?;
        }
        replace(&self.folder, &self.copy)?;
        self.stamp.set()?;
        Ok(true)
    }

    /// Notes that the folder was built from its inputs, and keeps it in the cache; not if they were edited during the build.
    pub(crate) fn keep(&self) -> Result<()> {
        if digest_of(&self.root, &self.sources)?.finish() != self.before {
            return Ok(());
        }
        self.stamp.set()?;
        let copy = self.cache.join(format!("new-{}", std::process::id()));
        file::remove_folder(&copy)?;
        copy_folder(&self.folder, &copy)?;
        match fs::rename(&copy, &self.cached) {
            // Another clone was faster.
            Err(_) if self.cached.is_dir() => file::remove_folder(&copy)?,
            renamed => renamed.map_err(file::cannot("write", &self.cached))?,
        }
        self.remove_old()
    }

    fn remove_old(&self) -> Result<()> {
        let age = |path: &PathBuf| {
            let changed = fs::metadata(path).and_then(|metadata| metadata.modified());
            changed.unwrap_or(SystemTime::UNIX_EPOCH)
        };
        let mut outputs = file::entries(&self.cache)?;
        outputs.sort_by_key(age);
        for old in outputs.iter().rev().skip(KEPT) {
            file::remove_folder(old)?;
        }
        Ok(())
    }
}

fn digest_of(root: &Path, sources: &[String]) -> Result<Digest> {
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    Digest::of(root, &sources)
}

/// Replaces a folder as a whole: a server may be reading it.
pub(crate) fn replace(folder: &Path, by: &Path) -> Result<()> {
    let old = by.with_extension("old");
    let replace = || -> io::Result<()> {
        let _ = fs::remove_dir_all(&old);
        if folder.exists() {
            fs::rename(folder, &old)?;
        }
        fs::rename(by, folder)
    };
    replace().map_err(file::cannot("replace", folder))?;
    file::remove_folder(&old)
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    file::create_folder(to)?;
    for path in file::entries(from)? {
        let target = to.join(file::name(&path));
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            file::copy(&path, &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{KEPT, Product, replace};
    use crate::file;
    use crate::workspace::Workspace;

    /// A folder of the test, empty at first and removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path =
                std::env::temp_dir().join(format!("settlekit-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).expect("a folder");
            Self(path)
        }

        /// A clone with a source, beside the cache.
        fn clone(&self, name: &str, source: &str) -> Workspace {
            let root = self.0.join(name);
            fs::create_dir_all(&root).expect("a folder");
            fs::write(root.join("source"), source).expect("a file");
            Workspace {
                target: root.join("target"),
                cache: self.0.join("cache"),
                root,
            }
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn product(workspace: &Workspace) -> Product {
        Product::new(workspace, "thing", "out/thing", &["source"]).expect("a product")
    }

    fn build(workspace: &Workspace, output: &str) {
        let product = product(workspace);
        let folder = product.folder().join("below");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("output"), output).expect("a file");
        product.keep().expect("it is kept");
    }

    fn output(workspace: &Workspace) -> Option<String> {
        fs::read_to_string(workspace.root.join("out/thing/below/output")).ok()
    }

    #[test]
    fn a_clone_of_the_same_sources_copies_what_another_built() {
        let scratch = Scratch::new("product-copied");
        let first = scratch.clone("first", "same");
        assert!(!product(&first).is_there().expect("it looks"));
        build(&first, "built");
        let second = scratch.clone("second", "same");
        assert!(product(&second).is_there().expect("it looks"));
        assert_eq!(output(&second).as_deref(), Some("built"));
        let other = scratch.clone("other", "changed");
        assert!(!product(&other).is_there().expect("it looks"));
        assert_eq!(output(&other), None);
    }

    #[test]
    fn an_output_of_older_sources_is_replaced() {
        let scratch = Scratch::new("product-replaced");
        let first = scratch.clone("first", "new");
        build(&first, "new output");
        let second = scratch.clone("second", "old");
        build(&second, "old output");
        fs::write(second.root.join("source"), "new").expect("a file");
        assert!(product(&second).is_there().expect("it looks"));
        assert_eq!(output(&second).as_deref(), Some("new output"));
    }

    #[test]
    fn an_output_whose_sources_were_edited_during_the_build_is_not_kept() {
        let scratch = Scratch::new("product-edited");
        let workspace = scratch.clone("clone", "before");
        let product = product(&workspace);
        fs::create_dir_all(product.folder()).expect("a folder");
        fs::write(workspace.root.join("source"), "edited").expect("a file");
        product.keep().expect("it looks");
        // The edit is undone.
        fs::write(workspace.root.join("source"), "before").expect("a file");
        assert!(!product.is_there().expect("it looks"));
    }

    #[test]
    fn the_cache_keeps_the_latest_outputs() {
        let scratch = Scratch::new("product-kept");
        let workspace = scratch.clone("clone", "0");
        for source in 1..=KEPT + 2 {
            fs::write(workspace.root.join("source"), source.to_string()).expect("a file");
            build(&workspace, "output");
        }
        let cached = file::entries(&workspace.cache.join("built/thing")).expect("a folder");
        assert_eq!(cached.len(), KEPT);
        assert!(product(&workspace).is_there().expect("it looks"));
    }

    #[test]
    fn a_served_folder_is_replaced_atomically() {
        let scratch = Scratch::new("product-served");
        let (dist, built) = (scratch.0.join("dist"), scratch.0.join(".dist"));
        for name in ["first.js", "second.js"] {
            fs::create_dir_all(&built).expect("a folder");
            fs::write(built.join(name), name).expect("a file");
            replace(&dist, &built).expect("the folder takes its place");
            let entries = file::entries(&dist).expect("a folder");
            let names: Vec<_> = entries.iter().map(|path| file::name(path)).collect();
            assert_eq!(names, [name]);
            assert_eq!(fs::read_dir(&scratch.0).expect("a folder").count(), 1);
        }
    }
}
