//! Opening a database for a command.

use settlekit_service::store::mode;
use settlekit_service::store::sql::Database;
use settlekit_service::{Mode, Options, Seed, Service};

use super::connect::connect;
use super::failure::{Failure, name_of};
use super::key_files;
use crate::config::{MasterKey, Store};
use crate::edge;
use crate::key::{KeyError, is_new, master_key};

pub(super) fn key(store: &Store) -> Result<MasterKey, Failure> {
    key_files::finish(store)?;
    master_key(store).map_err(|error| match error {
        KeyError::Database(error) => Failure::Store(store.database.clone(), error),
        error => error.into(),
    })
}

/// Opens an existing database in its own mode.
pub(crate) fn open(store: &Store) -> Result<(Service, Box<dyn Database>), Failure> {
    let failed = |error| Failure::Store(store.database.clone(), error);
    if is_new(&store.database).map_err(failed)? {
        return Err(Failure::Other(format!(
            "no database at {}: create one with `settlekit org create`",
            name_of(&store.database)
        )));
    }
    open_in(store, None)
}

/// As [`open`], but creates a missing database, in sandbox mode if asked. An existing one keeps its mode; a live one is refused
/// if sandbox mode is asked for.
pub(crate) fn open_or_create(
    store: &Store,
    sandbox: bool,
) -> Result<(Service, Box<dyn Database>), Failure> {
    open_in(store, sandbox.then_some(Mode::Sandbox))
}

fn open_in(store: &Store, asked: Option<Mode>) -> Result<(Service, Box<dyn Database>), Failure> {
    let master_key = key(store)?.0;
    let failed = |error| Failure::Store(store.database.clone(), error);
    let mut database = connect(&store.database).map_err(failed)?;
    let stored = mode::stored(database.as_mut()).map_err(failed)?;
    let mode = asked.or(stored).unwrap_or(Mode::Live);
    mode::open(database.as_mut(), mode).map_err(failed)?;
    let service = Service::new(Options {
        master_key,
        mode,
        allow_private_webhooks: false,
        public_url: String::new(),
    });
    if !service
        .holds_master_key(database.as_mut())
        .map_err(failed)?
    {
        return Err(KeyError::Other.into());
    }
    Ok((service, database))
}

/// Random bytes for a command.
pub(crate) fn seed(store: &Store) -> Result<Seed, Failure> {
    edge::seed().map_err(|error| Failure::Store(store.database.clone(), error))
}
