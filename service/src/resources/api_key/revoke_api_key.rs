//! Revokes an API key at once.

use settlekit_core::api_key::{ApiKey, RevokeApiKey};
use settlekit_core::event::EventAction;

use crate::resources::event;
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn revoke_api_key(unit: &mut Unit<'_>, call: Received<RevokeApiKey>) -> Outcome<ApiKey> {
    let organisation = call.caller.organisation;
    let key = store::api_key::LISTING
        .lock(unit.database, organisation, call.path.key_id)?
        .ok_or_else(|| Refusal::not_found("API key"))?;
    if key.revoked_at.is_some() {
        return Ok(key);
    }
    let key = ApiKey {
        revoked_at: Some(unit.now),
        ..key
    };
    store::api_key::revoke(unit.database, organisation, &key, unit.now)?;
    event::record(unit, organisation, EventAction::Updated, &key)?;
    Ok(key)
}
