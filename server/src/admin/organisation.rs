//! Commands for organisations.

use std::process::ExitCode;

use settlekit_core::value::OrganisationId;
use settlekit_service::admin::{NewOrganisation, Reviews};
use settlekit_service::store::sql::StoreError;

use super::failure::Failure;
use super::opening::{open, open_or_create};
use super::output::print;
use crate::config::{Org, Store};

pub(super) fn run(command: Org) -> Result<ExitCode, Failure> {
    match command {
        Org::Create {
            store,
            sandbox,
            name,
            partner,
            otc,
            json,
        } => {
            let name = name.trim().to_owned();
            let new = NewOrganisation {
                name,
                partner,
                otc,
                inbox: true,
            };
            create((&store, sandbox), &new, json)
        }
        Org::Suspend { store, org, kind } => suspend(&store, org, Some(&kind)),
        Org::Resume { store, org } => suspend(&store, org, None),
        Org::Review {
            store,
            org,
            kyc,
            company,
            kyb,
        } => {
            let reviews = Reviews {
                kyc_status: kyc,
                company_name: company,
                kyb_status: kyb,
            };
            let is_known = open(&store)?.call(|service, database, now, seed| {
                service.set_reviews(database, org, &reviews, now, seed)
            })?;
            changed(org, is_known)
        }
    }
}

fn create(
    (store, sandbox): (&Store, bool),
    new: &NewOrganisation,
    json: bool,
) -> Result<ExitCode, Failure> {
    if new.name.is_empty() {
        return Err("the name is empty: set --name".into());
    }
    let made = open_or_create(store, sandbox)?
        .call(|service, database, now, seed| service.create_organisation(database, new, now, seed));
    let made = made.map_err(|failure| match (failure, new.partner) {
        (Failure::Store(_, StoreError::Constraint(_)), Some(partner)) => {
            format!("partner {partner} not found").into()
        }
        (failure, _) => failure,
    })?;
    let mut fields = vec![
        ("org_id", made.id.to_string()),
        ("api_key", made.api_key),
        ("signing_secret", made.signing_secret),
    ];
    fields.extend(made.notice.map(|notice| ("notice", notice)));
    print(json, &fields)
}

fn suspend(store: &Store, org: OrganisationId, kind: Option<&str>) -> Result<ExitCode, Failure> {
    let is_known = open(store)?
        .call(|service, database, now, seed| service.suspend(database, org, kind, now, seed))?;
    changed(org, is_known)
}

/// The exit code, or an error for an unknown organisation.
fn changed(org: OrganisationId, is_known: bool) -> Result<ExitCode, Failure> {
    match is_known {
        true => Ok(ExitCode::SUCCESS),
        false => Err(Failure::unknown_organisation(org)),
    }
}
