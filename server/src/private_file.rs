//! Files readable by their owner only: databases, backups and exports contain all of a merchant's data.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

const MODE: u32 = 0o600;
const OTHERS: u32 = 0o077;

/// Creates a new file, whatever the umask.
pub(crate) fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(MODE)
        .open(path)
}

/// Creates a database file before SQLite does; its log and shared memory inherit the mode. An existing file keeps its own.
pub(crate) fn create_database(path: &Path) {
    // SQLite reports any error of the path.
    drop(create_new(path));
}

/// The files of a database that other users may read, with their modes.
pub(crate) fn readable_by_others(database: &Path) -> Vec<(PathBuf, u32)> {
    let beside = |end: &str| {
        let mut name = database.to_owned().into_os_string();
        name.push(end);
        PathBuf::from(name)
    };
    ["", "-wal", "-shm"]
        .map(beside)
        .into_iter()
        .filter_map(|path| {
            let mode = fs::metadata(&path).ok()?.permissions().mode() & 0o777;
            (mode & OTHERS != 0).then_some((path, mode))
        })
        .collect()
}
