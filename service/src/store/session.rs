//! Sessions of the dashboard.

use std::time::Duration;

use settlekit_core::member::Role;
use settlekit_core::value::{OrganisationId, Timestamp, UserId};

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::{delete, insert, update};

pub(crate) struct StoredSession {
    /// The person as a member of the organisation.
    pub(crate) member: UserId,
    /// The current role: a change takes effect at once.
    pub(crate) role: Role,
    /// Whether the user operates the installation now.
    pub(crate) installation_operator: bool,
    pub(crate) organisation: OrganisationId,
    pub(crate) csrf_token: String,
    pub(crate) step_up_hash: Option<Vec<u8>>,
    pub(crate) step_up_until: Option<Timestamp>,
    pub(crate) expires_at: Timestamp,
}

columns! { StoredSession { member, organisation, csrf_token, step_up_hash, step_up_until, expires_at, role, installation_operator } }

/// Finds a session by its token hash, across organisations.
pub(crate) fn by_token(
    database: &mut dyn Database,
    hash: &[u8; 32],
) -> Result<Option<StoredSession>, StoreError> {
    const FIND: &str = "SELECT s.member_id, s.org_id, s.csrf_token, s.step_up_hash, s.step_up_until, s.expires_at, m.role, m.installation_operator \
         FROM sessions s JOIN members m ON m.id = s.member_id WHERE s.token_hash = ?1";
    columns::first(&database.query(FIND, &[hash.into()])?)
}

pub(crate) fn insert(
    database: &mut dyn Database,
    hash: &[u8; 32],
    session: &StoredSession,
    now: Timestamp,
) -> Result<(), StoreError> {
    insert!(database, "sessions" {
        token_hash: hash,
        member_id: session.member,
        org_id: session.organisation,
        csrf_token: &session.csrf_token,
        created_at: now,
        expires_at: session.expires_at,
    })
}

/// Records a step-up.
pub(crate) fn step_up(
    database: &mut dyn Database,
    hash: &[u8; 32],
    proof: &[u8; 32],
    until: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "sessions" [token_hash: hash] {
        step_up_hash: proof,
        step_up_until: until,
    })
}

/// Adds time to every session that is valid at `now`, across organisations.
pub(crate) fn extend_all(
    database: &mut dyn Database,
    now: Timestamp,
    by: Duration,
) -> Result<(), StoreError> {
    const EXTEND: &str = "UPDATE sessions SET expires_at = expires_at + ?2 WHERE expires_at > ?1";
    let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
    database.execute(EXTEND, &[now.into(), micros.into()])?;
    Ok(())
}

pub(crate) fn delete(database: &mut dyn Database, hash: &[u8; 32]) -> Result<(), StoreError> {
    delete!(database, "sessions" [token_hash: hash])
}

/// Deletes a member's sessions.
pub(crate) fn delete_of_member(
    database: &mut dyn Database,
    member: UserId,
) -> Result<(), StoreError> {
    delete!(database, "sessions" [member_id: member])
}

/// Deletes a person's sessions in all organisations, except one if given.
pub(crate) fn delete_of_person(
    database: &mut dyn Database,
    person: UserId,
    but: Option<&[u8; 32]>,
) -> Result<(), StoreError> {
    const DELETE: &str = "DELETE FROM sessions WHERE member_id IN (SELECT id FROM members WHERE user_id = ?1) AND token_hash <> ?2";
    // No token has the empty hash.
    let but: &[u8] = but.map_or(&[], |hash| hash);
    database.execute(DELETE, &[person.into(), but.into()])?;
    Ok(())
}
