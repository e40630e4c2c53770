//! People who sign in, and the organisations that they are members of.

use settlekit_core::member::Role;
use settlekit_core::organisation::Organisation;
use settlekit_core::session::Membership;
use settlekit_core::value::{OrganisationId, Timestamp, UserId};

use super::columns::{self, columns, get};
use super::read_record;
use super::sql::{Database, StoreError};
use super::statement::{delete, insert, update};

/// Maximum number of organisations per person, so that a session can name all of them.
pub(crate) const MEMBERSHIPS_MAX: usize = 100;

/// A person as a member of one organisation.
pub(crate) struct Person {
    /// The member.
    pub(crate) id: UserId,
    /// The person, the same in all their organisations.
    pub(crate) person: UserId,
    pub(crate) organisation: OrganisationId,
    pub(crate) email: String,
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) installation_operator: bool,
    pub(crate) password_hash: String,
}

columns! { Person { id, person, organisation, email, name, password_hash, role, installation_operator } }

/// What a person signs in with.
pub(crate) struct Credentials {
    pub(crate) person: UserId,
    pub(crate) name: String,
    pub(crate) password_hash: String,
}

columns! { Credentials { person, name, password_hash } }

/// A new person; the e-mail address is in lower case.
pub(crate) fn insert(
    database: &mut dyn Database,
    person: &Person,
    now: Timestamp,
) -> Result<(), StoreError> {
    insert!(database, "users" {
        id: person.person,
        email: &person.email,
        name: &person.name,
        password_hash: &person.password_hash,
        created_at: now,
    })
}

pub(crate) fn set_password(
    database: &mut dyn Database,
    person: UserId,
    password_hash: &str,
) -> Result<(), StoreError> {
    update!(database, "users" [id: person] { password_hash: password_hash })
}

/// Makes a member the person's.
pub(crate) fn join(
    database: &mut dyn Database,
    organisation: OrganisationId,
    member: UserId,
    person: UserId,
) -> Result<(), StoreError> {
    update!(database, "members" [org_id: organisation, id: member] { user_id: person })
}

/// Parts a removed member from their person. A person without another membership is deleted with all credentials.
pub(crate) fn leave(
    database: &mut dyn Database,
    organisation: OrganisationId,
    member: UserId,
) -> Result<(), StoreError> {
    const PERSON: &str =
        "SELECT user_id FROM members WHERE org_id = ?1 AND id = ?2 AND user_id IS NOT NULL";
    const LEFT: &str = "SELECT 1 FROM members WHERE user_id = ?1 LIMIT 1";
    let person = database.query(PERSON, &[organisation.into(), member.into()])?;
    let Some(person) = columns::value::<UserId>(&person)? else {
        return Ok(());
    };
    lock(database, person)?;
    let none: Option<UserId> = None;
    update!(database, "members" [org_id: organisation, id: member] { user_id: none })?;
    if database.query(LEFT, &[person.into()])?.is_empty() {
        delete!(database, "users" [id: person])?;
    }
    Ok(())
}

/// Locks a person until the transaction ends, so that their memberships do not change meanwhile.
pub(crate) fn lock(database: &mut dyn Database, person: UserId) -> Result<(), StoreError> {
    const LOCK: &str = "SELECT 1 FROM users WHERE id = ?1 FOR UPDATE";
    database.query(LOCK, &[person.into()]).map(drop)
}

/// The people as members, with their current role.
macro_rules! persons {
    ($condition:literal) => {
        concat!(
            "SELECT m.id, u.id, m.org_id, u.email, u.name, u.password_hash, m.role, m.installation_operator \
             FROM members m JOIN users u ON u.id = m.user_id WHERE ",
            $condition
        )
    };
}

/// Finds a person by lower-case e-mail address, in the organisation of their last sign-in.
pub(crate) fn by_email(
    database: &mut dyn Database,
    email: &str,
) -> Result<Option<Person>, StoreError> {
    const FIND: &str = persons!(
        "u.email = ?1 ORDER BY m.last_signed_in_at DESC NULLS LAST, m.joined_at, m.id LIMIT 1"
    );
    columns::first(&database.query(FIND, &[email.into()])?)
}

/// The person with a lower-case e-mail address, as a member of each of their organisations.
pub(crate) fn all_by_email(
    database: &mut dyn Database,
    email: &str,
) -> Result<Vec<Person>, StoreError> {
    const FIND: &str = persons!("u.email = ?1 ORDER BY m.id");
    columns::all(&database.query(FIND, &[email.into()])?)
}

/// Finds a person as a member.
pub(crate) fn by_member(
    database: &mut dyn Database,
    member: UserId,
) -> Result<Option<Person>, StoreError> {
    columns::first(&database.query(persons!("m.id = ?1"), &[member.into()])?)
}

/// Finds a person as the member of an organisation.
pub(crate) fn in_organisation(
    database: &mut dyn Database,
    organisation: OrganisationId,
    person: UserId,
) -> Result<Option<Person>, StoreError> {
    const FIND: &str = persons!("m.org_id = ?1 AND m.user_id = ?2");
    columns::first(&database.query(FIND, &[organisation.into(), person.into()])?)
}

/// What a person with a lower-case e-mail address signs in with.
pub(crate) fn credentials(
    database: &mut dyn Database,
    email: &str,
) -> Result<Option<Credentials>, StoreError> {
    const FIND: &str = "SELECT id, name, password_hash FROM users WHERE email = ?1";
    columns::first(&database.query(FIND, &[email.into()])?)
}

/// The organisations of a person, by name.
pub(crate) fn memberships(
    database: &mut dyn Database,
    person: UserId,
) -> Result<Vec<Membership>, StoreError> {
    const FIND: &str = "SELECT o.record, m.role FROM members m JOIN organisations o ON o.id = m.org_id WHERE m.user_id = ?1";
    let rows = database.query(FIND, &[person.into()])?;
    let memberships = rows.iter().map(|row| {
        let organisation: Organisation = read_record(row.text(0)?)?;
        Ok(Membership {
            org_id: organisation.id,
            org_name: organisation.name,
            role: get(row, 1)?,
        })
    });
    let mut memberships = memberships.collect::<Result<Vec<_>, StoreError>>()?;
    memberships.sort_by(|one, other| {
        let key = |of: &Membership| (of.org_name.to_lowercase(), of.org_id);
        key(one).cmp(&key(other))
    });
    Ok(memberships)
}
