//! Files that only their owner may read: databases, backups and exports hold everything there is about a merchant.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

const MODE: u32 = 0o600;
const OTHERS: u32 = 0o077;

/// Creates a file that is not there yet, whatever the umask says.
pub(crate) fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(MODE)
        .open(path)
}

/// Creates the file of a database before SQLite does; its log and shared memory take the mode of it. One that is there keeps its own.
pub(crate) fn create_database(path: &Path) {
    // Whatever is wrong with the place, SQLite says it.
    drop(create_new(path));
}

/// The files of a database that others may read, each with its mode.
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
