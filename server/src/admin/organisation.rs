//! Commands for organisations.

use std::process::ExitCode;

use settlekit_core::value::OrganisationId;
use settlekit_service::admin::{NewOrganisation, Reviews};
use settlekit_service::store::sql::StoreError;

use super::failure::Failure;
use super::opening::{open, open_or_create, seed};
use super::output::print;
use crate::config::Store;
use crate::edge;

pub(super) fn create(
    (store, sandbox): (&Store, bool),
    name: String,
    partner: Option<OrganisationId>,
    otc: bool,
    json: bool,
) -> Result<ExitCode, Failure> {
    let name = name.trim().to_owned();
    if name.is_empty() {
        return Err(Failure::Other("the name is empty: set --name".to_owned()));
    }
    let (service, mut database) = open_or_create(store, sandbox)?;
    let new = NewOrganisation { name, partner, otc };
    let made = service.create_organisation(database.as_mut(), &new, edge::now(), seed(store)?);
    let made = made.map_err(|error| match (error, partner) {
        (StoreError::Constraint(_), Some(partner)) => {
            Failure::Other(format!("partner {partner} not found"))
        }
        (error, _) => Failure::Store(store.database.clone(), error),
    })?;
    let mut fields = vec![
        ("org_id", made.id.to_string()),
        ("api_key", made.api_key),
        ("signing_secret", made.signing_secret),
    ];
    fields.extend(made.notice.map(|notice| ("notice", notice)));
    print(json, &fields)
}

pub(super) fn suspend(
    store: &Store,
    organisation: OrganisationId,
    kind: Option<&str>,
) -> Result<ExitCode, Failure> {
    let (service, mut database) = open(store)?;
    let (database, seed) = (database.as_mut(), seed(store)?);
    let done = service.suspend(database, organisation, kind, edge::now(), seed);
    changed(store, organisation, done)
}

pub(super) fn review(
    store: &Store,
    organisation: OrganisationId,
    reviews: &Reviews,
) -> Result<ExitCode, Failure> {
    let (service, mut database) = open(store)?;
    let (database, seed) = (database.as_mut(), seed(store)?);
    let done = service.set_reviews(database, organisation, reviews, edge::now(), seed);
    changed(store, organisation, done)
}

/// The exit code, or an error for an unknown organisation.
fn changed(
    store: &Store,
    organisation: OrganisationId,
    done: Result<bool, StoreError>,
) -> Result<ExitCode, Failure> {
    match done.map_err(|error| Failure::Store(store.database.clone(), error))? {
        true => Ok(ExitCode::SUCCESS),
        false => Err(Failure::Other(format!(
            "organisation {organisation} not found"
        ))),
    }
}
