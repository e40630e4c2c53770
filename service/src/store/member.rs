//! Members and their invitations. `super::organisation` has their sign-in.

use std::marker::PhantomData;

use settlekit_core::member::{Member, Role};
use settlekit_core::value::{OrganisationId, Timestamp, UserId};

use super::list::Listing;
use super::sql::{Database, Row, StoreError};
use super::{first, maybe_timestamp, read_text, sequence, timestamp};

pub(crate) const LISTING: Listing<Member, UserId> = Listing {
    table: "members",
    owner: "org_id",
    kind: "members",
    select: "SELECT l.id, l.email, l.name, l.role, l.invitation_expires_at, l.joined_at, l.last_signed_in_at, l.removed_at, l.created_at, \
        l.updated_at, l.org_id FROM members l",
    read,
    ids: PhantomData,
};

fn read(row: &Row) -> Result<(Member, Timestamp), StoreError> {
    let member = Member {
        id: read_text(row.text(0)?)?,
        email: row.text(1)?.to_owned(),
        name: row.maybe_text(2)?.map(str::to_owned),
        role: Role::from(row.text(3)?),
        invitation_url: None,
        invitation_expires_at: maybe_timestamp(row, 4)?,
        joined_at: maybe_timestamp(row, 5)?,
        last_signed_in_at: maybe_timestamp(row, 6)?,
        removed_at: maybe_timestamp(row, 7)?,
        created_at: timestamp(row, 8)?,
    };
    Ok((member, timestamp(row, 9)?))
}

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    member: &Member,
) -> Result<(), StoreError> {
    const INSERT: &str = "INSERT INTO members (id, org_id, seq, email, name, role, invitation_expires_at, joined_at, created_at, updated_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)";
    let (seq, at) = sequence::next(
        database,
        organisation.into(),
        LISTING.kind,
        member.created_at,
    )?;
    database.execute(
        INSERT,
        &[
            member.id.into(),
            organisation.into(),
            seq.into(),
            (&member.email).into(),
            (&member.name).into(),
            member.role.as_str().into(),
            member.invitation_expires_at.into(),
            member.joined_at.into(),
            at.into(),
        ],
    )?;
    Ok(())
}

pub(crate) fn update(
    database: &mut dyn Database,
    organisation: OrganisationId,
    member: &Member,
    now: Timestamp,
) -> Result<(), StoreError> {
    const UPDATE: &str = "UPDATE members SET name = ?3, role = ?4, invitation_expires_at = ?5, joined_at = ?6, removed_at = ?7, \
         updated_at = ?8 WHERE org_id = ?1 AND id = ?2";
    database.execute(
        UPDATE,
        &[
            organisation.into(),
            member.id.into(),
            (&member.name).into(),
            member.role.as_str().into(),
            member.invitation_expires_at.into(),
            member.joined_at.into(),
            member.removed_at.into(),
            now.into(),
        ],
    )?;
    Ok(())
}

/// Sets or clears a member's invitation token.
pub(crate) fn hold_invitation(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: UserId,
    hash: Option<&[u8; 32]>,
) -> Result<(), StoreError> {
    const HOLD: &str = "UPDATE members SET invitation_hash = ?3 WHERE org_id = ?1 AND id = ?2";
    let hash = hash.map_or(super::sql::Value::Null, Into::into);
    database.execute(HOLD, &[organisation.into(), id.into(), hash])?;
    Ok(())
}

/// Finds and locks an invited member by the hash of the token, across organisations.
pub(crate) fn by_invitation(
    database: &mut dyn Database,
    hash: &[u8; 32],
) -> Result<Option<(OrganisationId, Member)>, StoreError> {
    let sql = format!("{} WHERE l.invitation_hash = ?1 FOR UPDATE", LISTING.select);
    let Some(row) = first(database.query(&sql, &[hash.into()])?) else {
        return Ok(None);
    };
    Ok(Some((read_text(row.text(10)?)?, read(&row)?.0)))
}

/// Whether an invitation has the token of this hash, across organisations.
pub(crate) fn is_invited(database: &mut dyn Database, hash: &[u8; 32]) -> Result<bool, StoreError> {
    const INVITED: &str = "SELECT 1 FROM members WHERE invitation_hash = ?1";
    Ok(!database.query(INVITED, &[hash.into()])?.is_empty())
}

/// The active or invited member with a lower-case e-mail address.
pub(crate) fn by_email(
    database: &mut dyn Database,
    organisation: OrganisationId,
    email: &str,
) -> Result<Option<Member>, StoreError> {
    let sql = format!(
        "{} WHERE l.org_id = ?1 AND l.email = ?2 AND l.removed_at IS NULL",
        LISTING.select
    );
    let rows = database.query(&sql, &[organisation.into(), email.into()])?;
    first(rows).map(|row| Ok(read(&row)?.0)).transpose()
}

/// Counts the active owners.
pub(crate) fn owners(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<i64, StoreError> {
    const OWNERS: &str = "SELECT COUNT(*) FROM members WHERE org_id = ?1 AND role = ?2 AND joined_at IS NOT NULL AND removed_at IS NULL";
    let rows = database.query(OWNERS, &[organisation.into(), Role::Owner.as_str().into()])?;
    first(rows).map_or(Ok(0), |row| row.int(0))
}

/// The owner with the longest membership.
pub(crate) fn first_owner(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<Option<UserId>, StoreError> {
    const FIRST: &str = "SELECT id FROM members WHERE org_id = ?1 AND role = ?2 AND joined_at IS NOT NULL AND removed_at IS NULL \
         ORDER BY seq LIMIT 1";
    let rows = database.query(FIRST, &[organisation.into(), Role::Owner.as_str().into()])?;
    first(rows).map(|row| read_text(row.text(0)?)).transpose()
}

/// Records a member's sign-in.
pub(crate) fn signed_in(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: UserId,
    now: Timestamp,
) -> Result<(), StoreError> {
    const SIGNED_IN: &str =
        "UPDATE members SET last_signed_in_at = ?3 WHERE org_id = ?1 AND id = ?2";
    database.execute(SIGNED_IN, &[organisation.into(), id.into(), now.into()])?;
    Ok(())
}
