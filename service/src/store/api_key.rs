//! API keys and the nonces used with them.

use settlekit_core::api_key::ApiKey;
use settlekit_core::value::{ApiKeyId, OrganisationId, Timestamp};

use super::columns::{self, columns, get};
use super::listing::{Listing, listing};
use super::sql::{Database, Row, StoreError};
use super::statement::{insert, update};
use super::{read_record, write_record};

pub(crate) const LISTING: Listing<ApiKey, ApiKeyId> =
    listing!("api_keys", "l.record, l.last_used_at, l.updated_at", read);

fn read(row: &Row) -> Result<(ApiKey, Timestamp), StoreError> {
    let key = ApiKey {
        last_used_at: get(row, 1)?,
        ..read_record(row.text(0)?)?
    };
    Ok((key, get(row, 2)?))
}

/// The key of a request.
pub(crate) struct StoredKey {
    pub(crate) id: ApiKeyId,
    pub(crate) organisation: OrganisationId,
    pub(crate) scopes: String,
    pub(crate) last_used_at: Option<Timestamp>,
    pub(crate) expires_at: Option<Timestamp>,
    pub(crate) revoked: bool,
}

columns! { StoredKey { id, organisation, scopes, last_used_at, expires_at, revoked } }

/// Finds a key by its hash, across organisations.
pub(crate) fn by_secret(
    database: &mut dyn Database,
    hash: &[u8; 32],
) -> Result<Option<StoredKey>, StoreError> {
    const FIND: &str = "SELECT id, org_id, scopes, last_used_at, expires_at, revoked_at IS NOT NULL FROM api_keys WHERE secret_hash = ?1";
    columns::first(&database.query(FIND, &[hash.into()])?)
}

/// Inserts a key; the record holds no secret.
pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    hash: &[u8; 32],
    key: &ApiKey,
) -> Result<(), StoreError> {
    let (seq, at) = LISTING.next(database, organisation, key.created_at)?;
    insert!(database, "api_keys" {
        id: key.id,
        org_id: organisation,
        seq: seq,
        secret_hash: hash,
        scopes: &key.scopes.join(" "),
        record: &write_record(key)?,
        expires_at: key.expires_at,
        created_at: at,
        updated_at: at,
    })
}

pub(crate) fn revoke(
    database: &mut dyn Database,
    organisation: OrganisationId,
    key: &ApiKey,
    at: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "api_keys" [org_id: organisation, id: key.id] {
        revoked_at: at,
        updated_at: at,
        record: &write_record(key)?,
    })
}

/// Records a key's last use.
pub(crate) fn touch(
    database: &mut dyn Database,
    id: ApiKeyId,
    at: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "api_keys" [id: id] { last_used_at: at })
}

/// Inserts a nonce; false if it was used before.
pub(crate) fn remember_nonce(
    database: &mut dyn Database,
    key: ApiKeyId,
    nonce: &str,
    forget_at: Timestamp,
) -> Result<bool, StoreError> {
    const REMEMBER: &str = "INSERT INTO nonces (key_id, nonce, expires_at) VALUES (?1, ?2, ?3) ON CONFLICT (key_id, nonce) DO NOTHING";
    Ok(database.execute(REMEMBER, &[key.into(), nonce.into(), forget_at.into()])? == 1)
}

pub(crate) fn is_nonce_known(
    database: &mut dyn Database,
    key: ApiKeyId,
    nonce: &str,
) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM nonces WHERE key_id = ?1 AND nonce = ?2";
    let found = database.query(FIND, &[key.into(), nonce.into()])?;
    Ok(!found.is_empty())
}
