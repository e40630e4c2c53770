//! The master key that seals secrets at rest: known again, and rotated.
//!
//! The database keeps a digest of the key that its secrets are sealed with, and changes it in the transaction that seals them
//! again. So either the old or the new key opens everything. A server that still holds the old key cannot seal anything more
//! with it: `Unit::seal` reads the digest in its own transaction.

use super::context;
use crate::random::{Random, Seed};
use crate::store::sealed;
use crate::store::setting;
use crate::store::sql::{Database, StoreError};
use crate::{MasterKey, Service, secret};

/// The setting that holds the digest of the key.
const SETTING: &str = "master_key_digest";

fn digest(key: &MasterKey) -> String {
    hex::encode(secret::digest(&hex::encode(key)))
}

/// Whether the database's secrets are sealed with the service's key, as far as it says.
pub(crate) fn is_current(
    service: &Service,
    database: &mut dyn Database,
) -> Result<bool, StoreError> {
    let stored = setting::read(database, SETTING)?;
    Ok(stored.is_none_or(|stored| stored == digest(&service.options.master_key)))
}

/// What came of a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotated {
    /// So many secrets are sealed with the new key.
    Done(u64),
    /// The database's secrets are sealed with another key than this service's. Nothing was written.
    OtherKey,
}

impl Service {
    /// Whether this service's master key is the one that the database's secrets are sealed with; that of a new database is
    /// remembered. With another nothing in it could be opened, so a host asks before it serves.
    ///
    /// # Errors
    /// When the database failed.
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

    /// Seals every secret with another master key, all in one transaction.
    ///
    /// # Errors
    /// When the database failed, or a secret cannot be opened ([`StoreError::Damaged`]); nothing was written then.
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
/// When the database failed.
pub fn seals(database: &mut dyn Database, key: &MasterKey) -> Result<bool, StoreError> {
    if crate::store::migrate::version(database)? == 0 {
        return Ok(false);
    }
    let stored = setting::read(database, SETTING)?;
    Ok(stored.is_some_and(|stored| stored == digest(key)))
}
