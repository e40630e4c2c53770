//! Sessions of the dashboard.

use settlekit_core::member::Role;
use settlekit_core::value::{OrganisationId, Timestamp, UserId};

use super::sql::{Database, StoreError};
use super::{first, maybe_timestamp, read_text, timestamp};

pub(crate) struct Stored {
    pub(crate) user: UserId,
    /// The current role: a change takes effect at once.
    pub(crate) role: Role,
    pub(crate) organisation: OrganisationId,
    pub(crate) csrf_token: String,
    pub(crate) step_up_hash: Option<Vec<u8>>,
    pub(crate) step_up_until: Option<Timestamp>,
    pub(crate) expires_at: Timestamp,
}

/// Finds a session by its token hash, across organisations.
pub(crate) fn by_token(
    database: &mut dyn Database,
    hash: &[u8; 32],
) -> Result<Option<Stored>, StoreError> {
    const FIND: &str = "SELECT s.user_id, s.org_id, s.csrf_token, s.step_up_hash, s.step_up_until, s.expires_at, m.role \
         FROM sessions s JOIN members m ON m.id = s.user_id WHERE s.token_hash = ?1";
    let Some(row) = first(database.query(FIND, &[hash.into()])?) else {
        return Ok(None);
    };
    Ok(Some(Stored {
        user: read_text(row.text(0)?)?,
        organisation: read_text(row.text(1)?)?,
        csrf_token: row.text(2)?.to_owned(),
        step_up_hash: row.maybe_blob(3)?.map(<[u8]>::to_vec),
        step_up_until: maybe_timestamp(&row, 4)?,
        expires_at: timestamp(&row, 5)?,
        role: Role::from(row.text(6)?),
    }))
}

pub(crate) fn insert(
    database: &mut dyn Database,
    hash: &[u8; 32],
    session: &Stored,
    now: Timestamp,
) -> Result<(), StoreError> {
    const INSERT: &str = "INSERT INTO sessions (token_hash, user_id, org_id, csrf_token, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    database.execute(
        INSERT,
        &[
            hash.into(),
            session.user.into(),
            session.organisation.into(),
            (&session.csrf_token).into(),
            now.into(),
            session.expires_at.into(),
        ],
    )?;
    Ok(())
}

/// Records a step-up.
pub(crate) fn step_up(
    database: &mut dyn Database,
    hash: &[u8; 32],
    proof: &[u8; 32],
    until: Timestamp,
) -> Result<(), StoreError> {
    const STEP_UP: &str =
        "UPDATE sessions SET step_up_hash = ?2, step_up_until = ?3 WHERE token_hash = ?1";
    database.execute(STEP_UP, &[hash.into(), proof.into(), until.into()])?;
    Ok(())
}

pub(crate) fn delete(database: &mut dyn Database, hash: &[u8; 32]) -> Result<(), StoreError> {
    const DELETE: &str = "DELETE FROM sessions WHERE token_hash = ?1";
    database.execute(DELETE, &[hash.into()])?;
    Ok(())
}

/// Deletes a user's sessions, except one if given.
pub(crate) fn delete_of(
    database: &mut dyn Database,
    user: UserId,
    but: Option<&[u8; 32]>,
) -> Result<(), StoreError> {
    const DELETE: &str = "DELETE FROM sessions WHERE user_id = ?1 AND token_hash <> ?2";
    // No token has the empty hash.
    let but: &[u8] = but.map_or(&[], |hash| hash);
    database.execute(DELETE, &[user.into(), but.into()])?;
    Ok(())
}

/// Deletes expired sessions.
pub(crate) fn delete_over(database: &mut dyn Database, now: Timestamp) -> Result<(), StoreError> {
    const DELETE: &str = "DELETE FROM sessions WHERE expires_at < ?1";
    database.execute(DELETE, &[now.into()])?;
    Ok(())
}
