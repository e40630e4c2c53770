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
use super::opening::open;
use super::output::print;
use crate::config::{Member, Store};

pub(super) fn run(command: Member) -> Result<ExitCode, Failure> {
    match command {
        Member::Add {
            store,
            org,
            email,
            name,
            role,
            operator,
            password_stdin,
            json,
        } => {
            let new = NewPerson {
                email,
                name,
                password: password(password_stdin)?,
                role,
                installation_operator: operator,
            };
            add(&store, org, new, !password_stdin, json)
        }
        Member::Operator {
            store,
            email,
            remove,
            json,
        } => set_operator(&store, &email, !remove, json),
        Member::Password {
            store,
            email,
            password_stdin,
            json,
        } => {
            let password = password(password_stdin)?;
            set_password(&store, &email, password, !password_stdin, json)
        }
    }
}

/// The first line of standard input, or a new random password.
fn password(given: bool) -> Result<String, Failure> {
    if !given {
        let mut bytes = [0; 12];
        getrandom::fill(&mut bytes)
            .map_err(|error| format!("the operating system gives no random bytes: {error}"))?;
        return Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect());
    }
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn add(
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
        return Err(error.message.into());
    }
    let added = open(store)?.call(|service, database, now, seed| {
        service.create_person(database, organisation, &new, now, seed)
    });
    let added = added.map_err(|failure| match failure {
        Failure::Store(_, StoreError::Constraint(_)) => format!(
            "{} already has an account: invite it from the dashboard if it is not a member yet",
            new.email.to_lowercase()
        )
        .into(),
        failure => failure,
    })?;
    let id = added.ok_or_else(|| Failure::unknown_organisation(organisation))?;
    let mut fields = vec![
        ("org_id", organisation.to_string()),
        ("user_id", id.to_string()),
        ("role", new.role.to_string()),
        ("email", new.email.to_lowercase()),
    ];
    fields.extend(made.then_some(("password", new.password)));
    print(json, &fields)
}

fn set_operator(
    store: &Store,
    email: &str,
    operates: bool,
    json: bool,
) -> Result<ExitCode, Failure> {
    let set = open(store)?.call(|service, database, now, seed| {
        service.set_installation_operator(database, email, operates, now, seed)
    })?;
    let id = set.ok_or_else(|| format!("no member with the email address {email}"))?;
    let fields = [
        ("user_id", id.to_string()),
        ("email", email.to_lowercase()),
        ("installation_operator", operates.to_string()),
    ];
    print(json, &fields)
}

fn set_password(
    store: &Store,
    email: &str,
    password: String,
    made: bool,
    json: bool,
) -> Result<ExitCode, Failure> {
    let mut report = Report::default();
    check_new_password("password", &password, &mut report);
    if let Some(error) = report.to_error("member") {
        return Err(error.message.into());
    }
    let set = open(store)?.call(|service, database, now, seed| {
        service.set_password(database, email, &password, now, seed)
    })?;
    let (organisation, id) =
        set.ok_or_else(|| format!("no member with the email address {email}"))?;
    let mut fields = vec![
        ("org_id", organisation.to_string()),
        ("user_id", id.to_string()),
        ("email", email.to_lowercase()),
    ];
    fields.extend(made.then_some(("password", password)));
    print(json, &fields)
}
