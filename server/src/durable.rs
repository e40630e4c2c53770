//! Durable files: reported as written only once they survive a power loss.

use std::fs::File;
use std::io;
use std::path::Path;

/// Syncs a file and its directory entry.
pub(crate) fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()?;
    sync_folder(path)
}

/// Syncs the directory of a file.
pub(crate) fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
