//! Replaces the key that signs webhooks.

use settlekit_core::event::EventAction;
use settlekit_core::organisation::{Organisation, ROTATION_OVERLAP, RotateWebhookKey};

use super::add_webhook_key;
use crate::resources::event;
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn rotate_webhook_key(
    unit: &mut Unit<'_>,
    call: Received<RotateWebhookKey>,
) -> Outcome<Organisation> {
    let id = call.caller.organisation;
    let organisation = store::organisation::lock(unit.database, id)?
        .ok_or_else(|| Refusal::not_found("organisation"))?;
    let revoked = call.body.revoke_old == Some(true);
    let until = unit.now.plus(ROTATION_OVERLAP);
    if revoked {
        store::organisation::revoke_webhook_keys(unit.database, id, unit.now)?;
    } else {
        store::organisation::retire_webhook_keys(unit.database, id, (unit.now, until))?;
    }
    let overlaps = organisation.webhook_public_key.is_some() && !revoked;
    let public_key = add_webhook_key(unit, id)?;
    let organisation = Organisation {
        webhook_public_key: Some(public_key),
        webhook_key_overlap_until: overlaps.then_some(until),
        updated_at: unit.now,
        ..organisation
    };
    store::organisation::update(unit.database, &organisation)?;
    event::record(unit, id, EventAction::Updated, &organisation)?;
    Ok(organisation)
}
