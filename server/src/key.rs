//! The master key: from the operator, or from a file that only its owner may read.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use settlekit_service::store::migrate;
use settlekit_service::store::sql::StoreError;

use crate::config::{MasterKey, Store};
use crate::engine::Address;
use crate::{durable, tls};

/// Why the master key is not available.
#[derive(Debug)]
pub enum KeyError {
    /// PostgreSQL has no folder for a key file.
    NoPlace,
    /// The database exists, but not its key.
    Missing(PathBuf),
    /// The database uses another key.
    Other,
    /// The file contains no key.
    Malformed(PathBuf),
    /// Other users may read the file.
    Open(PathBuf),
    /// The file cannot be read or written.
    Io(PathBuf, io::Error),
    /// The operating system provides no randomness.
    NoRandomness,
    /// The database cannot be checked for being new.
    Database(StoreError),
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlace => f.write_str(
                "no master key: with PostgreSQL set SETTLEKIT_MASTER_KEY to 64 hex digits \
                 (`openssl rand -hex 32`), the same on every machine, or set --key-file",
            ),
            Self::Missing(path) => write!(
                f,
                "the database exists but its key {} does not: put the file back, or set SETTLEKIT_MASTER_KEY",
                path.display()
            ),
            Self::Other => f.write_str(
                "this is not the master key of the database: its secrets cannot be opened with another",
            ),
            Self::Malformed(path) => write!(f, "{} is not a master key of 64 hex digits: put the right file back", path.display()),
            Self::Open(path) => write!(f, "{0} is readable by others: run `chmod 600 {0}`", path.display()),
            Self::Io(path, error) if error.kind() == io::ErrorKind::NotFound => {
                write!(f, "the folder of {} does not exist: create it, or use another file", path.display())
            }
            Self::Io(path, error) => write!(f, "the key file {} cannot be used: {error}", path.display()),
            Self::NoRandomness => f.write_str("the operating system gives no random bytes for a master key"),
            Self::Database(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for KeyError {}

/// The key for a database; for a new one it is generated and written to its file. Call before the database is opened, and where
/// blocking on PostgreSQL is allowed.
pub fn master_key(store: &Store) -> Result<MasterKey, KeyError> {
    if let Some(key) = &store.master_key {
        return Ok(key.clone());
    }
    let path = file_of(store).ok_or(KeyError::NoPlace)?;
    match read(&path) {
        Err(KeyError::Io(_, error)) if error.kind() == io::ErrorKind::NotFound => {}
        found => return found,
    }
    // A new key could not open existing secrets.
    if !is_new(&store.database).map_err(KeyError::Database)? {
        return Err(KeyError::Missing(path));
    }
    write(&path, &generate()?)?;
    // Another process may have been first: the key in the file counts.
    read(&path)
}

/// The path of the key file; `None` for PostgreSQL without a given file.
pub(crate) fn file_of(store: &Store) -> Option<PathBuf> {
    match (&store.key_file, &store.database) {
        (Some(path), _) => Some(path.clone()),
        (None, Address::Sqlite(file)) => Some(with_suffix(file, ".key")),
        (None, Address::Postgres(_)) => None,
    }
}

/// The path of a file with a suffix added.
pub(crate) fn with_suffix(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

pub(crate) fn generate() -> Result<MasterKey, KeyError> {
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(|_| KeyError::NoRandomness)?;
    Ok(MasterKey(key))
}

/// Syncs the directory of a file.
pub(crate) fn sync_folder(file: &Path) -> Result<(), KeyError> {
    durable::sync_folder(file).map_err(|error| KeyError::Io(file.to_owned(), error))
}

/// Whether nothing was ever written to a database.
pub(crate) fn is_new(database: &Address) -> Result<bool, StoreError> {
    match database {
        Address::Sqlite(file) => Ok(fs::metadata(file).map_or(true, |file| file.len() == 0)),
        Address::Postgres(address) => Ok(migrate::version(&mut tls::open(address)?)? == 0),
    }
}

pub(crate) fn read(path: &Path) -> Result<MasterKey, KeyError> {
    let failed = |error| KeyError::Io(path.to_owned(), error);
    let mode = fs::metadata(path).map_err(failed)?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(KeyError::Open(path.to_owned()));
    }
    let text = fs::read_to_string(path).map_err(failed)?;
    text.parse()
        .map_err(|_| KeyError::Malformed(path.to_owned()))
}

/// Writes a key to a temporary name and links it into place, so that no reader sees a partial file and no key is replaced.
pub(crate) fn write(path: &Path, key: &MasterKey) -> Result<(), KeyError> {
    let failed = |error| KeyError::Io(path.to_owned(), error);
    let text: String = key.0.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut draft = path.to_owned().into_os_string();
    draft.push(format!(".{}", std::process::id()));
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&draft)
        .map_err(failed)?;
    let written = writeln!(file, "{text}").and_then(|()| file.sync_all());
    let linked = written.and_then(|()| match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    let removed = fs::remove_file(&draft);
    linked.and(removed).map_err(failed)?;
    sync_folder(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(folder: &Path) -> Store {
        Store {
            database: Address::Sqlite(folder.join("book.db")),
            master_key: None,
            key_file: None,
        }
    }

    #[test]
    fn a_new_database_gets_a_key_file_readable_by_its_owner_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let key = master_key(&store(folder.path())).expect("a key");
        let file = folder.path().join("book.db.key");
        assert_eq!(
            fs::metadata(&file).expect("the file").permissions().mode() & 0o777,
            0o600
        );
        assert!(master_key(&store(folder.path())).is_ok_and(|again| again == key));
        assert_eq!(
            fs::read_dir(folder.path()).expect("a folder").count(),
            1,
            "a draft was left"
        );
    }

    #[test]
    fn an_existing_database_gets_no_new_key() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("book.db"), "content").expect("a database");
        assert!(matches!(
            master_key(&store(folder.path())),
            Err(KeyError::Missing(_))
        ));
    }

    #[test]
    fn readable_and_malformed_key_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("book.db.key");
        fs::write(&file, "half a key").expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("its mode");
        assert!(matches!(
            master_key(&store(folder.path())),
            Err(KeyError::Open(_))
        ));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("its mode");
        assert!(matches!(
            master_key(&store(folder.path())),
            Err(KeyError::Malformed(_))
        ));
    }

    #[test]
    fn postgres_needs_a_given_key() {
        let store = Store {
            database: Address::Postgres("postgres://x".to_owned()),
            master_key: None,
            key_file: None,
        };
        assert!(matches!(master_key(&store), Err(KeyError::NoPlace)));
        let given = Store {
            master_key: "0".repeat(64).parse().ok(),
            ..store
        };
        assert!(master_key(&given).is_ok());
    }
}
