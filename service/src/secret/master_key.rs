//! The master key that seals secrets at rest: verification and rotation.
//!
//! The database stores a digest of the key and changes it in the transaction that reseals all secrets. So either the old or the
//! new key opens everything. A server that still has the old key cannot seal with it: `Unit::seal` checks the digest in its own
//! transaction.

use super::context;
use crate::random::{Random, Seed};
use crate::store::sealed;
use crate::store::setting;
use crate::store::sql::{Database, StoreError};
use crate::{MasterKey, Service, secret};

/// The setting that stores the digest.
const SETTING: &str = "master_key_digest";

fn digest(key: &MasterKey) -> String {
    hex::encode(secret::digest(&hex::encode(key)))
}

/// Whether the stored digest, if any, is of the service's key.
pub(crate) fn is_current(
    service: &Service,
    database: &mut dyn Database,
) -> Result<bool, StoreError> {
    let stored = setting::read(database, SETTING)?;
    Ok(stored.is_none_or(|stored| stored == digest(&service.options.master_key)))
}

/// Refuses a service with another key than the stored digest's: its key was rotated, or it was never the right one.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn require_current(
    service: &Service,
    database: &mut dyn Database,
) -> Result<(), StoreError> {
    if is_current(service, database)? {
        return Ok(());
    }
    Err(StoreError::Broken(
        "the master key was rotated: restart this server with the new one".to_owned(),
    ))
}

/// The result of a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotated {
    /// The count of secrets sealed with the new key.
    Done(u64),
    /// The database uses another key than this service. Nothing was written.
    OtherKey,
}

impl Service {
    /// Whether the database's secrets are sealed with this service's master key; stores the digest in a new database. With
    /// another key nothing could be opened, so a host asks before it serves.
    ///
    /// # Errors
    /// If the database failed.
    pub fn holds_master_key(&self, database: &mut dyn Database) -> Result<bool, StoreError> {
        let digest = digest(&self.options.master_key);
        self.transact(database, |database| {
            match setting::read(database, SETTING)? {
                Some(known) => Ok(known == digest),
                None => {
                    setting::write(database, SETTING, &digest)?;
                    Ok(true)
                }
            }
        })
    }

    /// Seals every secret with another master key, in one transaction.
    ///
    /// # Errors
    /// If the database failed or a secret cannot be opened ([`StoreError::Damaged`]); nothing was written then.
    pub fn rotate_master_key(
        &self,
        database: &mut dyn Database,
        new: &MasterKey,
        seed: Seed,
    ) -> Result<Rotated, StoreError> {
        self.transact(database, |database| {
            let old = &self.options.master_key;
            if setting::read(database, SETTING)?.is_some_and(|known| known != digest(old)) {
                return Ok(Rotated::OtherKey);
            }
            let mut random = Random::new(seed);
            let count = sealed::each(database, &mut |kind, (first, second), value| {
                let context = context::of_row(kind, first, second)?;
                let plain = secret::open(old, &context, value).ok_or_else(|| {
                    StoreError::Damaged(format!("the secret {context:?} cannot be opened"))
                })?;
                Ok(secret::seal(new, &context, &plain, &mut random))
            })?;
            setting::write(database, SETTING, &digest(new))?;
            Ok(Rotated::Done(count))
        })
    }
}

/// Whether the database's secrets are sealed with a key. Writes nothing.
///
/// # Errors
/// If the database failed.
pub fn seals(database: &mut dyn Database, key: &MasterKey) -> Result<bool, StoreError> {
    if crate::store::migrate::version(database)? == 0 {
        return Ok(false);
    }
    let stored = setting::read(database, SETTING)?;
    Ok(stored.is_some_and(|stored| stored == digest(key)))
}
