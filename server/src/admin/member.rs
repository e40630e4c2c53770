//! Commands for users.

use std::io;
use std::process::ExitCode;

use settlekit_core::member::NAME_CHARS_MAX;
use settlekit_core::session::check_new_password;
use settlekit_core::validate::Report;
use settlekit_core::value::OrganisationId;
use settlekit_service::admin::NewPerson;
use settlekit_service::store::sql::StoreError;

use super::failure::Failure;
use super::opening::{open, seed};
use super::output::print;
use crate::config::Store;
use crate::edge;

/// The first line of standard input, or a new random password.
pub(super) fn password(given: bool) -> Result<String, Failure> {
    if !given {
        let mut bytes = [0; 12];
        getrandom::fill(&mut bytes).map_err(|error| {
            Failure::Other(format!(
                "the operating system gives no random bytes: {error}"
            ))
        })?;
        return Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect());
    }
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

pub(super) fn add(
    store: &Store,
    organisation: OrganisationId,
    new: NewPerson,
    made: bool,
    json: bool,
) -> Result<ExitCode, Failure> {
    let mut report = Report::default();
    report.email("email", &new.email);
    report.text("name", &new.name, NAME_CHARS_MAX);
    check_new_password("password", &new.password, &mut report);
    if let Some(error) = report.to_error("member") {
        return Err(Failure::Other(error.message));
    }
    let (service, mut database) = open(store)?;
    let added = service.create_person(
        database.as_mut(),
        organisation,
        &new,
        edge::now(),
        seed(store)?,
    );
    let added = added.map_err(|error| match error {
        StoreError::Constraint(_) => {
            Failure::Other(format!("{} is already a member", new.email.to_lowercase()))
        }
        error => Failure::Store(store.database.clone(), error),
    })?;
    let Some(id) = added else {
        return Err(Failure::Other(format!(
            "organisation {organisation} not found"
        )));
    };
    let mut fields = vec![
        ("org_id", organisation.to_string()),
        ("user_id", id.to_string()),
        ("role", new.role.to_string()),
        ("email", new.email.to_lowercase()),
    ];
    if made {
        fields.push(("password", new.password));
    }
    print(json, &fields)
}

pub(super) fn set_password(
    store: &Store,
    email: &str,
    password: String,
    made: bool,
    json: bool,
) -> Result<ExitCode, Failure> {
    let mut report = Report::default();
    check_new_password("password", &password, &mut report);
    if let Some(error) = report.to_error("member") {
        return Err(Failure::Other(error.message));
    }
    let (service, mut database) = open(store)?;
    let (database, seed) = (database.as_mut(), seed(store)?);
    let set = service.set_password(database, email, &password, edge::now(), seed);
    let set = set.map_err(|error| Failure::Store(store.database.clone(), error))?;
    let Some((organisation, id)) = set else {
        return Err(Failure::Other(format!(
            "no member with the email address {email}"
        )));
    };
    let mut fields = vec![
        ("org_id", organisation.to_string()),
        ("user_id", id.to_string()),
        ("email", email.to_lowercase()),
    ];
    if made {
        fields.push(("password", password));
    }
    print(json, &fields)
}
