//! Members and their invitations. `super::person` has their sign-in.

use settlekit_core::member::{Member, Role};
use settlekit_core::value::{OrganisationId, Timestamp, UserId};

use super::columns::{self, get};
use super::listing::{Listing, listing};
use super::one;
use super::sql::{Database, Row, StoreError};
use super::statement::{insert, update};

pub(crate) const LISTING: Listing<Member, UserId> = listing!(
    "members",
    "l.id, l.email, l.name, l.role, l.invitation_expires_at, l.joined_at, l.last_signed_in_at, l.removed_at, l.created_at, \
     l.updated_at, l.org_id, l.installation_operator",
    read
);

fn read(row: &Row) -> Result<(Member, Timestamp), StoreError> {
    let member = Member {
        id: get(row, 0)?,
        email: get(row, 1)?,
        name: get(row, 2)?,
        role: get(row, 3)?,
        installation_operator: Some(get(row, 11)?).filter(|operates| *operates),
        invitation_url: None,
        invitation_expires_at: get(row, 4)?,
        joined_at: get(row, 5)?,
        last_signed_in_at: get(row, 6)?,
        removed_at: get(row, 7)?,
        created_at: get(row, 8)?,
    };
    Ok((member, get(row, 9)?))
}

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    member: &Member,
) -> Result<(), StoreError> {
    let (seq, at) = LISTING.next(database, organisation, member.created_at)?;
    insert!(database, "members" {
        id: member.id,
        org_id: organisation,
        seq: seq,
        email: &member.email,
        name: &member.name,
        role: member.role.as_str(),
        invitation_expires_at: member.invitation_expires_at,
        joined_at: member.joined_at,
        installation_operator: i64::from(member.installation_operator == Some(true)),
        created_at: at,
        updated_at: at,
    })
}

pub(crate) fn update(
    database: &mut dyn Database,
    organisation: OrganisationId,
    member: &Member,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "members" [org_id: organisation, id: member.id] {
        name: &member.name,
        role: member.role.as_str(),
        invitation_expires_at: member.invitation_expires_at,
        joined_at: member.joined_at,
        removed_at: member.removed_at,
        installation_operator: i64::from(member.installation_operator == Some(true)),
        updated_at: now,
    })
}

/// Sets or clears a member's invitation token.
pub(crate) fn hold_invitation(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: UserId,
    hash: Option<&[u8; 32]>,
) -> Result<(), StoreError> {
    update!(database, "members" [org_id: organisation, id: id] { invitation_hash: hash })
}

/// Finds and locks an invited member by the hash of the token, across organisations.
pub(crate) fn by_invitation(
    database: &mut dyn Database,
    hash: &[u8; 32],
) -> Result<Option<(OrganisationId, Member)>, StoreError> {
    let sql = format!("{} WHERE l.invitation_hash = ?1 FOR UPDATE", LISTING.select);
    one(database.query(&sql, &[hash.into()])?, |row| {
        Ok((get(row, 10)?, read(row)?.0))
    })
}

/// The invited member with the token of this hash, not locked, across organisations.
pub(crate) fn invited(
    database: &mut dyn Database,
    hash: &[u8; 32],
) -> Result<Option<Member>, StoreError> {
    let sql = format!("{} WHERE l.invitation_hash = ?1", LISTING.select);
    LISTING.first(database.query(&sql, &[hash.into()])?)
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
    LISTING.first(database.query(&sql, &[organisation.into(), email.into()])?)
}

/// Counts the active owners.
pub(crate) fn owners(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<i64, StoreError> {
    const OWNERS: &str = "SELECT COUNT(*) FROM members WHERE org_id = ?1 AND role = ?2 AND joined_at IS NOT NULL AND removed_at IS NULL";
    let rows = database.query(OWNERS, &[organisation.into(), Role::Owner.as_str().into()])?;
    Ok(columns::value(&rows)?.unwrap_or(0))
}

/// The owner with the longest membership.
pub(crate) fn first_owner(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<Option<UserId>, StoreError> {
    const FIRST: &str = "SELECT id FROM members WHERE org_id = ?1 AND role = ?2 AND joined_at IS NOT NULL AND removed_at IS NULL \
         ORDER BY seq LIMIT 1";
    let rows = database.query(FIRST, &[organisation.into(), Role::Owner.as_str().into()])?;
    columns::value(&rows)
}

/// Records a member's sign-in.
pub(crate) fn signed_in(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: UserId,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "members" [org_id: organisation, id: id] { last_signed_in_at: now })
}
