//! Python with packages that `cargo xtask test` installs.

use std::env;
use std::path::{Path, PathBuf};

/// Python of a set of requirements, by the name that `xtask/src/python.rs` gives it.
pub fn python(name: &str) -> PathBuf {
    let within = |name, rest: &str| env::var_os(name).map(|folder| Path::new(&folder).join(rest));
    let cache = within("SETTLEKIT_CACHE", "")
        .or_else(|| within("XDG_CACHE_HOME", "settlekit"))
        .or_else(|| within("HOME", ".cache/settlekit"))
        .expect("a place for the cache");
    cache.join("tools").join(name).join("bin/python")
}
