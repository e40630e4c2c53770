//! Members: invite, change role, remove. `crate::resources::session` has sign-in.

mod accept_invitation;
mod invitation;
mod invite_member;
mod invite_member_again;
mod open_invitation;
mod remove_member;
mod update_member;

pub(crate) use accept_invitation::accept_invitation;
pub(crate) use invitation::find_new_password;
pub(crate) use invite_member::invite_member;
pub(crate) use invite_member_again::invite_member_again;
pub(crate) use open_invitation::open_invitation;
pub(crate) use remove_member::remove_member;
pub(crate) use update_member::update_member;

use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::member::{ListMembers, Member, Role};
use settlekit_core::organisation::Organisation;
use settlekit_core::page::Page;
use settlekit_core::value::{OrganisationId, UserId};

use crate::resources::event;
use crate::store;
use crate::store::person::Person;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// A new user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPerson {
    /// The e-mail address.
    pub email: String,
    /// The display name.
    pub name: String,
    /// The password.
    pub password: String,
    /// The role.
    pub role: Role,
    /// Whether the user also operates the installation.
    pub installation_operator: bool,
}

/// A member who has not joined, with the id of an earlier invitation of the e-mail address.
fn of_email(unit: &mut Unit<'_>, before: Option<&Member>, email: String, role: Role) -> Member {
    Member {
        id: match before {
            Some(before) => before.id,
            None => UserId::new(unit.now, unit.id_bytes()),
        },
        email,
        name: None,
        role,
        installation_operator: None,
        invitation_url: None,
        invitation_expires_at: None,
        joined_at: None,
        last_signed_in_at: None,
        removed_at: None,
        created_at: before.map_or(unit.now, |before| before.created_at),
    }
}

/// Adds a member without an invitation, for the operator; a pending invitation is completed.
pub(crate) fn add(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    new: &NewPerson,
    password_hash: &str,
) -> Result<UserId, StoreError> {
    let email = new.email.to_lowercase();
    let invited = store::member::by_email(unit.database, organisation, &email)?;
    let member = Member {
        name: Some(new.name.clone()),
        joined_at: Some(unit.now),
        installation_operator: new.installation_operator.then_some(true),
        ..of_email(unit, invited.as_ref(), email, new.role.clone())
    };
    if invited.is_some() {
        store::member::update(unit.database, organisation, &member, unit.now)?;
        store::member::hold_invitation(unit.database, organisation, member.id, None)?;
    } else {
        store::member::insert(unit.database, organisation, &member)?;
    }
    create_person(unit, organisation, &member, password_hash.to_owned())?;
    event::record(unit, organisation, EventAction::Updated, &member)?;
    name_owner(unit, organisation)?;
    Ok(member.id)
}

/// Lets a member operate the installation in the organisation of the last sign-in, or no longer in any organisation; `None` for an
/// e-mail address without a member who has joined.
pub(crate) fn set_installation_operator(
    unit: &mut Unit<'_>,
    email: &str,
    operates: bool,
) -> Result<Option<UserId>, StoreError> {
    let email = email.to_lowercase();
    let Some(latest) = store::person::by_email(unit.database, &email)? else {
        return Ok(None);
    };
    let id = latest.id;
    let changed = match operates {
        true => vec![latest],
        false => {
            let mut all = store::person::all_by_email(unit.database, &email)?;
            all.retain(|person| person.installation_operator);
            all
        }
    };
    for person in changed {
        mark_operator(unit, &person, operates)?;
    }
    Ok(Some(id))
}

fn mark_operator(unit: &mut Unit<'_>, person: &Person, operates: bool) -> Result<(), StoreError> {
    let organisation = person.organisation;
    let before = store::member::LISTING.lock(unit.database, organisation, person.id)?;
    let before = before.ok_or_else(|| StoreError::Damaged("a person is no member".into()))?;
    let member = Member {
        installation_operator: operates.then_some(true),
        // A link that was created before must not sign anybody in as an operator.
        invitation_expires_at: None,
        ..before
    };
    store::member::hold_invitation(unit.database, organisation, member.id, None)?;
    store::member::update(unit.database, organisation, &member, unit.now)?;
    event::record(unit, organisation, EventAction::Updated, &member)
}

/// Sets the owner in the organisation's record: the owner with the longest membership.
fn name_owner(unit: &mut Unit<'_>, organisation: OrganisationId) -> Result<(), StoreError> {
    let owner = store::member::first_owner(unit.database, organisation)?.map(|id| id.to_string());
    match store::organisation::find(unit.database, organisation)? {
        Some(record) if record.owner_user_id != owner => {
            let record = Organisation {
                owner_user_id: owner,
                updated_at: unit.now,
                ..record
            };
            store::organisation::update(unit.database, &record)?;
            event::record(unit, organisation, EventAction::Updated, &record)
        }
        _ => Ok(()),
    }
}

/// Creates the person of a stored member.
fn create_person(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    member: &Member,
    password_hash: String,
) -> Result<(), StoreError> {
    let person = Person {
        id: member.id,
        person: member.id,
        organisation,
        email: member.email.clone(),
        name: member.name.clone().unwrap_or_default(),
        role: member.role.clone(),
        installation_operator: member.installation_operator == Some(true),
        password_hash,
    };
    store::person::insert(unit.database, &person, unit.now)?;
    store::person::join(unit.database, organisation, member.id, person.person)
}

/// Refuses a new password by a link of one organisation to a person who is a member of others, too: whoever has the link would sign
/// in to them.
fn refuse_several_organisations(unit: &mut Unit<'_>, person: &Person) -> Outcome<()> {
    if store::person::memberships(unit.database, person.person)?.len() > 1 {
        return Err(Refusal::state_forbids(
            "the member belongs to other organisations, too: they change their password themselves, or the operator resets it with \
             `settlekit member password`",
        ));
    }
    Ok(())
}

pub(crate) fn list_members(
    unit: &mut Unit<'_>,
    call: Received<ListMembers>,
) -> Outcome<Page<Member>> {
    Ok(store::member::LISTING.page(unit.database, call.caller.organisation, &call.query)?)
}

/// Locks a member. Locks the organisation first, so that two last owners cannot demote each other at once.
fn lock(unit: &mut Unit<'_>, organisation: OrganisationId, id: UserId) -> Outcome<Member> {
    store::organisation::lock(unit.database, organisation)?;
    store::member::LISTING
        .lock(unit.database, organisation, id)?
        .ok_or_else(|| Refusal::not_found("member"))
}

/// Refuses a removed member.
fn refuse_removed(member: &Member) -> Outcome<()> {
    match member.removed_at {
        None => Ok(()),
        Some(_) => Err(Refusal::state_forbids(
            "the member was removed: invite them again",
        )),
    }
}

/// Refuses to remove or demote the last owner.
fn refuse_last_owner(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    member: &Member,
) -> Outcome<()> {
    let is_owner = member.role == Role::Owner && member.joined_at.is_some();
    if is_owner && store::member::owners(unit.database, organisation)? <= 1 {
        return Err(Refusal::because(
            Reason::LastOwner,
            "the organisation needs at least one owner: make another member an owner first",
        ));
    }
    Ok(())
}
