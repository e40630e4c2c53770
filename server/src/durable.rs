//! Files that survive a loss of power: what a command reports as done is on the disk.

use std::fs::File;
use std::io;
use std::path::Path;

/// Has the disk keep a file that was written, and its name in its folder.
pub(crate) fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()?;
    sync_folder(path)
}

/// Has the disk keep what was done to the names in a file's folder.
pub(crate) fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
