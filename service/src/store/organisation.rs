//! Organisations, their webhook keys and their users.

use std::marker::PhantomData;

use settlekit_core::member::Role;
use settlekit_core::organisation::Organisation;
use settlekit_core::partner::SubMerchant;
use settlekit_core::value::{OrganisationId, Timestamp, UserId};

use super::list::Listing;
use super::sql::{Database, Row, StoreError};
use super::{first, read_record, read_text, sequence, timestamp, write_record};

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: &Organisation,
    otc: bool,
    signing_secret: &[u8],
) -> Result<(), StoreError> {
    const INSERT: &str = "INSERT INTO organisations (id, partner_id, otc, signing_secret, webhook_url, record, created_at, updated_at, seq) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    // A sub-merchant has a `seq` in its partner's list, along which times never decrease.
    let (mut seq, mut at) = (None, organisation.created_at);
    if let Some(partner) = organisation.partner_id {
        let (number, moment) = sequence::next(database, partner.into(), SUB_MERCHANTS.kind, at)?;
        (seq, at) = (Some(number), moment);
    }
    let organisation = &Organisation {
        created_at: at,
        ..organisation.clone()
    };
    let record = write_record(organisation)?;
    database.execute(
        INSERT,
        &[
            organisation.id.into(),
            organisation.partner_id.into(),
            otc.into(),
            signing_secret.into(),
            (&organisation.webhook_url).into(),
            (&record).into(),
            organisation.created_at.into(),
            organisation.updated_at.into(),
            seq.into(),
        ],
    )?;
    Ok(())
}

pub(crate) const SUB_MERCHANTS: Listing<SubMerchant, OrganisationId> = Listing {
    table: "organisations",
    owner: "partner_id",
    kind: "sub-merchants",
    select: "SELECT l.record, l.suspended, l.updated_at FROM organisations l",
    read: sub_merchant,
    ids: PhantomData,
};

fn sub_merchant(row: &Row) -> Result<(SubMerchant, Timestamp), StoreError> {
    let organisation: Organisation = read_record(row.text(0)?)?;
    let listed = SubMerchant {
        id: organisation.id,
        name: organisation.name,
        suspended: row.int(1)? != 0,
        created_at: organisation.created_at,
    };
    Ok((listed, timestamp(row, 2)?))
}

pub(crate) fn find(
    database: &mut dyn Database,
    id: OrganisationId,
) -> Result<Option<Organisation>, StoreError> {
    const FIND: &str = "SELECT record FROM organisations WHERE id = ?1";
    record(database.query(FIND, &[id.into()])?)
}

/// As [`find`], locked until the transaction ends.
pub(crate) fn lock(
    database: &mut dyn Database,
    id: OrganisationId,
) -> Result<Option<Organisation>, StoreError> {
    const LOCK: &str = "SELECT record FROM organisations WHERE id = ?1 FOR UPDATE";
    record(database.query(LOCK, &[id.into()])?)
}

fn record(rows: Vec<Row>) -> Result<Option<Organisation>, StoreError> {
    first(rows).map(|row| read_record(row.text(0)?)).transpose()
}

pub(crate) fn update(
    database: &mut dyn Database,
    organisation: &Organisation,
) -> Result<(), StoreError> {
    const UPDATE: &str = "UPDATE organisations SET webhook_url = ?2, record = ?3, updated_at = ?4, suspended = ?5 WHERE id = ?1";
    let record = write_record(organisation)?;
    let suspended = organisation
        .properties
        .as_ref()
        .is_some_and(|properties| properties.is_suspended == Some(true));
    database.execute(
        UPDATE,
        &[
            organisation.id.into(),
            (&organisation.webhook_url).into(),
            (&record).into(),
            organisation.updated_at.into(),
            suspended.into(),
        ],
    )?;
    Ok(())
}

pub(crate) fn is_suspended(
    database: &mut dyn Database,
    id: OrganisationId,
) -> Result<bool, StoreError> {
    const SUSPENDED: &str = "SELECT 1 FROM organisations WHERE id = ?1 AND suspended = 1";
    Ok(!database.query(SUSPENDED, &[id.into()])?.is_empty())
}

/// Whether the organisation may trade OTC.
pub(crate) fn is_otc(database: &mut dyn Database, id: OrganisationId) -> Result<bool, StoreError> {
    const OTC: &str = "SELECT otc FROM organisations WHERE id = ?1";
    first(database.query(OTC, &[id.into()])?).map_or(Ok(false), |row| Ok(row.int(0)? != 0))
}

/// The organisation's partner, if any.
pub(crate) fn partner_of(
    database: &mut dyn Database,
    id: OrganisationId,
) -> Result<Option<OrganisationId>, StoreError> {
    const PARTNER: &str = "SELECT partner_id FROM organisations WHERE id = ?1";
    match first(database.query(PARTNER, &[id.into()])?) {
        Some(row) => row.maybe_text(0)?.map(read_text).transpose(),
        None => Ok(None),
    }
}

/// The organisation's webhook URL, if any.
pub(crate) fn webhook_url(
    database: &mut dyn Database,
    id: OrganisationId,
) -> Result<Option<String>, StoreError> {
    const URL: &str = "SELECT webhook_url FROM organisations WHERE id = ?1";
    match first(database.query(URL, &[id.into()])?) {
        Some(row) => Ok(row.maybe_text(0)?.map(str::to_owned)),
        None => Ok(None),
    }
}

pub(crate) fn signing_secret(
    database: &mut dyn Database,
    id: OrganisationId,
) -> Result<Vec<u8>, StoreError> {
    const SECRET: &str = "SELECT signing_secret FROM organisations WHERE id = ?1";
    let row = first(database.query(SECRET, &[id.into()])?);
    Ok(row
        .ok_or_else(|| StoreError::Broken("a key belongs to no organisation".into()))?
        .blob(0)?
        .to_vec())
}

pub(crate) fn insert_webhook_key(
    database: &mut dyn Database,
    id: OrganisationId,
    key_id: &str,
    secret: &[u8],
    now: Timestamp,
) -> Result<(), StoreError> {
    const INSERT: &str =
        "INSERT INTO webhook_keys (org_id, key_id, secret, created_at) VALUES (?1, ?2, ?3, ?4)";
    database.execute(
        INSERT,
        &[id.into(), key_id.into(), secret.into(), now.into()],
    )?;
    Ok(())
}

/// Lets the current key sign until a time. A key retired earlier ends now: every webhook is signed with each active key.
pub(crate) fn retire_webhook_keys(
    database: &mut dyn Database,
    id: OrganisationId,
    (now, until): (Timestamp, Timestamp),
) -> Result<(), StoreError> {
    const END: &str =
        "UPDATE webhook_keys SET retires_at = ?2 WHERE org_id = ?1 AND retires_at > ?2";
    const RETIRE: &str =
        "UPDATE webhook_keys SET retires_at = ?2 WHERE org_id = ?1 AND retires_at IS NULL";
    database.execute(END, &[id.into(), now.into()])?;
    database.execute(RETIRE, &[id.into(), until.into()])?;
    Ok(())
}

/// Ends all keys at a time, retired ones too.
pub(crate) fn revoke_webhook_keys(
    database: &mut dyn Database,
    id: OrganisationId,
    at: Timestamp,
) -> Result<(), StoreError> {
    const REVOKE: &str = "UPDATE webhook_keys SET retires_at = ?2 WHERE org_id = ?1 AND (retires_at IS NULL OR retires_at > ?2)";
    database.execute(REVOKE, &[id.into(), at.into()])?;
    Ok(())
}

/// The active keys at a time, newest first: id and sealed secret.
pub(crate) fn webhook_keys(
    database: &mut dyn Database,
    id: OrganisationId,
    now: Timestamp,
) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
    const KEYS: &str = "SELECT key_id, secret FROM webhook_keys WHERE org_id = ?1 AND (retires_at IS NULL OR retires_at > ?2) \
         ORDER BY created_at DESC, key_id";
    let rows = database.query(KEYS, &[id.into(), now.into()])?;
    rows.iter()
        .map(|row| Ok((row.text(0)?.to_owned(), row.blob(1)?.to_vec())))
        .collect()
}

/// A user.
pub(crate) struct Person {
    pub(crate) id: UserId,
    pub(crate) organisation: OrganisationId,
    pub(crate) email: String,
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) password_hash: String,
}

/// The e-mail address is in lower case.
pub(crate) fn insert_person(
    database: &mut dyn Database,
    person: &Person,
    now: Timestamp,
) -> Result<(), StoreError> {
    const INSERT: &str = "INSERT INTO users (id, org_id, email, name, password_hash, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    database.execute(
        INSERT,
        &[
            person.id.into(),
            person.organisation.into(),
            (&person.email).into(),
            (&person.name).into(),
            (&person.password_hash).into(),
            now.into(),
        ],
    )?;
    Ok(())
}

pub(crate) fn set_password(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: UserId,
    password_hash: &str,
) -> Result<(), StoreError> {
    const SET: &str = "UPDATE users SET password_hash = ?3 WHERE org_id = ?1 AND id = ?2";
    database.execute(SET, &[organisation.into(), id.into(), password_hash.into()])?;
    Ok(())
}

/// Deletes a user, whose sessions have ended, with all credentials.
pub(crate) fn delete_person(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: UserId,
) -> Result<(), StoreError> {
    const DELETE: &str = "DELETE FROM users WHERE org_id = ?1 AND id = ?2";
    database.execute(DELETE, &[organisation.into(), id.into()])?;
    Ok(())
}

/// Finds a user by lower-case e-mail address, across organisations.
pub(crate) fn person_by_email(
    database: &mut dyn Database,
    email: &str,
) -> Result<Option<Person>, StoreError> {
    const FIND: &str = "SELECT u.id, u.org_id, u.email, u.name, u.password_hash, m.role FROM users u JOIN members m ON m.id = u.id WHERE u.email = ?1";
    person(database.query(FIND, &[email.into()])?)
}

pub(crate) fn person_by_id(
    database: &mut dyn Database,
    id: UserId,
) -> Result<Option<Person>, StoreError> {
    const FIND: &str = "SELECT u.id, u.org_id, u.email, u.name, u.password_hash, m.role FROM users u JOIN members m ON m.id = u.id WHERE u.id = ?1";
    person(database.query(FIND, &[id.into()])?)
}

fn person(rows: Vec<Row>) -> Result<Option<Person>, StoreError> {
    let Some(row) = first(rows) else {
        return Ok(None);
    };
    Ok(Some(Person {
        id: read_text(row.text(0)?)?,
        organisation: read_text(row.text(1)?)?,
        email: row.text(2)?.to_owned(),
        name: row.text(3)?.to_owned(),
        password_hash: row.text(4)?.to_owned(),
        role: Role::from(row.text(5)?),
    }))
}
