//! Creates an API key, whose secret is shown once.

use settlekit_core::api_key::{ApiKey, CreateApiKey};
use settlekit_core::operation::Scope;

use super::{create, default_scopes};
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn create_api_key(unit: &mut Unit<'_>, call: Received<CreateApiKey>) -> Outcome<ApiKey> {
    let body = call.body;
    unit.check_expiry(body.expires_at)?;
    let mut scopes = Vec::new();
    for scope in body.scopes.unwrap_or_else(default_scopes) {
        // A caller cannot grant a scope that it lacks.
        if let Some(known) = Scope::from_wire(&scope) {
            call.caller.need(known)?;
        }
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    Ok(create(
        unit,
        call.caller.organisation,
        body.name,
        scopes,
        body.expires_at,
    )?)
}
