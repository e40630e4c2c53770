//! Files and folders. Each error names its path.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::Result;

/// The text of an error: `cannot read /some/file: …`.
pub(crate) fn cannot(what: &str, path: &Path) -> impl Fn(io::Error) -> String {
    move |error| format!("cannot {what} {}: {error}", path.display())
}

pub(crate) fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(cannot("read", file))
}

pub(crate) fn read_text(file: &Path) -> Result<String> {
    fs::read_to_string(file).map_err(cannot("read", file))
}

pub(crate) fn write(file: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    fs::write(file, content).map_err(cannot("write", file))
}

pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    let copied = fs::copy(from, to).map_err(cannot("write", to));
    copied.map(drop)
}

pub(crate) fn remove(file: &Path) -> Result<()> {
    fs::remove_file(file).map_err(cannot("remove", file))
}

/// Creates a folder and its parents.
pub(crate) fn create_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(cannot("create", folder))
}

/// Removes a folder, if it exists, with its content.
pub(crate) fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(cannot("remove", folder)),
    }
}

/// The sorted paths in a folder.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(cannot("read", folder))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths
        .collect::<io::Result<_>>()
        .map_err(cannot("read", folder))?;
    paths.sort();
    Ok(paths)
}

/// The name of a file or folder; empty if it is not text.
pub(crate) fn name(path: &Path) -> &str {
    let name = path.file_name().and_then(|name| name.to_str());
    name.unwrap_or_default()
}
