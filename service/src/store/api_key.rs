//! API keys and the nonces used with them.

use std::marker::PhantomData;

use settlekit_core::api_key::ApiKey;
use settlekit_core::value::{ApiKeyId, OrganisationId, Timestamp};

use super::list::Listing;
use super::sql::{Database, Row, StoreError};
use super::{first, maybe_timestamp, read_record, read_text, sequence, timestamp, write_record};

pub(crate) const LISTING: Listing<ApiKey, ApiKeyId> = Listing {
    table: "api_keys",
    owner: "org_id",
    kind: "api_keys",
    select: "SELECT l.record, l.last_used_at, l.updated_at FROM api_keys l",
    read,
    ids: PhantomData,
};

fn read(row: &Row) -> Result<(ApiKey, Timestamp), StoreError> {
    let key = ApiKey {
        last_used_at: maybe_timestamp(row, 1)?,
        ..read_record(row.text(0)?)?
    };
    Ok((key, timestamp(row, 2)?))
}

/// The key of a request.
pub(crate) struct Known {
    pub(crate) id: ApiKeyId,
    pub(crate) organisation: OrganisationId,
    pub(crate) scopes: String,
    pub(crate) last_used_at: Option<Timestamp>,
    pub(crate) expires_at: Option<Timestamp>,
    pub(crate) revoked: bool,
}

/// Finds a key by its hash, across organisations.
pub(crate) fn by_secret(
    database: &mut dyn Database,
    hash: &[u8; 32],
) -> Result<Option<Known>, StoreError> {
    const FIND: &str = "SELECT id, org_id, scopes, last_used_at, expires_at, revoked_at FROM api_keys WHERE secret_hash = ?1";
    let Some(row) = first(database.query(FIND, &[hash.into()])?) else {
        return Ok(None);
    };
    Ok(Some(Known {
        id: read_text(row.text(0)?)?,
        organisation: read_text(row.text(1)?)?,
        scopes: row.text(2)?.to_owned(),
        last_used_at: maybe_timestamp(&row, 3)?,
        expires_at: maybe_timestamp(&row, 4)?,
        revoked: row.maybe_int(5)?.is_some(),
    }))
}

/// Inserts a key; the record holds no secret.
pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    hash: &[u8; 32],
    key: &ApiKey,
) -> Result<(), StoreError> {
    const INSERT: &str = "INSERT INTO api_keys (id, org_id, seq, secret_hash, scopes, record, expires_at, created_at, updated_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)";
    let (seq, at) = sequence::next(database, organisation.into(), LISTING.kind, key.created_at)?;
    let record = write_record(key)?;
    database.execute(
        INSERT,
        &[
            key.id.into(),
            organisation.into(),
            seq.into(),
            hash.into(),
            (&key.scopes.join(" ")).into(),
            (&record).into(),
            key.expires_at.into(),
            at.into(),
        ],
    )?;
    Ok(())
}

/// Reads and locks a key of the organisation.
pub(crate) fn lock(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: ApiKeyId,
) -> Result<Option<ApiKey>, StoreError> {
    const LOCK: &str =
        "SELECT record, last_used_at FROM api_keys WHERE org_id = ?1 AND id = ?2 FOR UPDATE";
    let rows = database.query(LOCK, &[organisation.into(), id.into()])?;
    let Some(row) = first(rows) else {
        return Ok(None);
    };
    let key: ApiKey = read_record(row.text(0)?)?;
    Ok(Some(ApiKey {
        last_used_at: maybe_timestamp(&row, 1)?,
        ..key
    }))
}

pub(crate) fn revoke(
    database: &mut dyn Database,
    organisation: OrganisationId,
    key: &ApiKey,
    at: Timestamp,
) -> Result<(), StoreError> {
    const REVOKE: &str = "UPDATE api_keys SET revoked_at = ?3, updated_at = ?3, record = ?4 WHERE org_id = ?1 AND id = ?2";
    let record = write_record(key)?;
    database.execute(
        REVOKE,
        &[
            organisation.into(),
            key.id.into(),
            at.into(),
            (&record).into(),
        ],
    )?;
    Ok(())
}

/// Records a key's last use.
pub(crate) fn touch(
    database: &mut dyn Database,
    id: ApiKeyId,
    at: Timestamp,
) -> Result<(), StoreError> {
    const TOUCH: &str = "UPDATE api_keys SET last_used_at = ?2 WHERE id = ?1";
    database.execute(TOUCH, &[id.into(), at.into()])?;
    Ok(())
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

/// Deletes expired nonces of all organisations.
pub(crate) fn forget_nonces(database: &mut dyn Database, now: Timestamp) -> Result<(), StoreError> {
    const FORGET: &str = "DELETE FROM nonces WHERE expires_at < ?1";
    database.execute(FORGET, &[now.into()])?;
    Ok(())
}
