//! Opening a database for a command.

use settlekit_core::value::{ChainId, Timestamp};
use settlekit_service::store::mode;
use settlekit_service::store::sql::{Database, StoreError};
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

/// An open database with the service.
pub(super) struct Opened<'a> {
    store: &'a Store,
    pub(super) service: Service,
    pub(super) database: Box<dyn Database>,
}

impl Opened<'_> {
    /// Runs a call of the service with the time and random bytes.
    pub(super) fn call<T>(
        &mut self,
        call: impl FnOnce(&Service, &mut dyn Database, Timestamp, Seed) -> Result<T, StoreError>,
    ) -> Result<T, Failure> {
        let failed = Failure::of(&self.store.database);
        let (now, seed) = (edge::now(), edge::seed().map_err(failed)?);
        call(&self.service, self.database.as_mut(), now, seed).map_err(failed)
    }

    /// The connected chains whose money has no value.
    pub(super) fn test_chains(&mut self) -> Result<Vec<ChainId>, Failure> {
        let chains = self.call(|service, database, _, _| service.connected_chains(database))?;
        let chains = chains.into_iter().filter(|chain| chain.is_test);
        Ok(chains.map(|chain| chain.chain).collect())
    }
}

/// Opens an existing database in its own mode.
pub(super) fn open(store: &Store) -> Result<Opened<'_>, Failure> {
    if is_new(&store.database).map_err(Failure::of(&store.database))? {
        return Err(Failure::Other(format!(
            "no database at {}: create one with `settlekit org create`",
            name_of(&store.database)
        )));
    }
    open_in(store, None)
}

/// As [`open`], but creates a missing database, in sandbox mode if asked. An existing one keeps its mode; a live one is refused
/// if sandbox mode is asked for.
pub(super) fn open_or_create(store: &Store, sandbox: bool) -> Result<Opened<'_>, Failure> {
    open_in(store, sandbox.then_some(Mode::Sandbox))
}

fn open_in(store: &Store, asked: Option<Mode>) -> Result<Opened<'_>, Failure> {
    let master_key = key(store)?.0;
    let failed = Failure::of(&store.database);
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
    let is_known = service.holds_master_key(database.as_mut());
    if !is_known.map_err(failed)? {
        return Err(KeyError::Other.into());
    }
    Ok(Opened {
        store,
        service,
        database,
    })
}
