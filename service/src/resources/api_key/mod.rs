//! API keys: create, list, revoke.

mod create_api_key;
mod revoke_api_key;

pub(crate) use create_api_key::create_api_key;
pub(crate) use revoke_api_key::revoke_api_key;

use settlekit_core::api_key::{ApiKey, ListApiKeys};
use settlekit_core::event::EventAction;
use settlekit_core::operation::Scope;
use settlekit_core::page::Page;
use settlekit_core::value::{ApiKeyId, OrganisationId, Timestamp};

use crate::resources::event;
use crate::secret::{API_KEY_PREFIX, digest, generate};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Unit};

/// The characters of a secret that are stored to recognise it.
const PREFIX_CHARS: usize = 10;

/// Creates a key. The returned record contains the secret; the stored one does not.
pub(crate) fn create(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    name: String,
    scopes: Vec<String>,
    expires_at: Option<Timestamp>,
) -> Result<ApiKey, StoreError> {
    let secret = generate(API_KEY_PREFIX, &mut unit.random);
    let key = ApiKey {
        id: ApiKeyId::new(unit.now, unit.id_bytes()),
        name,
        prefix: secret.chars().take(PREFIX_CHARS).collect(),
        scopes,
        key: None,
        notice: None,
        created_at: unit.now,
        last_used_at: None,
        expires_at,
        revoked_at: None,
    };
    store::api_key::insert(unit.database, organisation, &digest(&secret), &key)?;
    event::record(unit, organisation, EventAction::Updated, &key)?;
    Ok(ApiKey {
        notice: notice(&key.scopes),
        key: Some(secret),
        ..key
    })
}

/// The default scopes of a new key: without access to money and secrets.
pub(crate) fn default_scopes() -> Vec<String> {
    [Scope::Read, Scope::Write]
        .map(|scope| scope.as_str().to_owned())
        .into()
}

/// A warning about the key's dangerous scopes; `None` without any.
pub(crate) fn notice(scopes: &[String]) -> Option<String> {
    let has = |scope: Scope| scopes.iter().any(|one| one == scope.as_str());
    let of = |scope: Scope, allows: &'static str| has(scope).then_some(allows);
    let allowed = [
        of(
            Scope::Payout,
            "with `payout` the holder of this key can send money out of every account",
        ),
        of(
            Scope::Manage,
            "with `manage` the holder of this key can create and revoke keys, read and rotate the signing secret, and change where webhooks go",
        ),
    ];
    let allowed: Vec<&str> = allowed.into_iter().flatten().collect();
    (!allowed.is_empty()).then(|| allowed.join("; "))
}

pub(crate) fn every_scope() -> Vec<String> {
    Scope::ALL
        .iter()
        .map(|scope| scope.as_str().to_owned())
        .collect()
}

pub(crate) fn list_api_keys(
    unit: &mut Unit<'_>,
    call: Received<ListApiKeys>,
) -> Outcome<Page<ApiKey>> {
    Ok(store::api_key::LISTING.page(unit.database, call.caller.organisation, &call.query)?)
}
