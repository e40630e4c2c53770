//! Replaces the signing secret.

use settlekit_core::event::EventAction;
use settlekit_core::organisation::{
    Organisation, ROTATION_OVERLAP, RotateSigningSecret, SigningSecret,
};

use super::shown_with;
use crate::resources::event;
use crate::secret::{self, context};
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// Replaces the signing secret. The old one stays valid for a while, unless it has leaked.
pub(crate) fn rotate_signing_secret(
    unit: &mut Unit<'_>,
    call: Received<RotateSigningSecret>,
) -> Outcome<SigningSecret> {
    let id = call.caller.organisation;
    let organisation = store::organisation::lock(unit.database, id)?
        .ok_or_else(|| Refusal::not_found("organisation"))?;
    let until = unit.now.plus(ROTATION_OVERLAP);
    let overlap = match call.body.revoke_old {
        Some(true) => {
            store::signing_secret::forget_retired(unit.database, id)?;
            None
        }
        _ => {
            let old = store::organisation::signing_secret(unit.database, id)?;
            let number = hex::encode(unit.id_bytes());
            // At most one retired secret is valid, because each is tried on requests that the current one does not match.
            store::signing_secret::forget_retired(unit.database, id)?;
            store::signing_secret::retire(unit.database, id, &number, &old, until)?;
            Some(until)
        }
    };
    let signing_secret = secret::generate("ss_", &mut unit.random);
    let context = context::signing_secret(id);
    let sealed = unit.seal(&context, signing_secret.as_bytes())?;
    store::signing_secret::replace(unit.database, id, &sealed)?;
    let organisation = Organisation {
        signing_secret_overlap_until: overlap,
        updated_at: unit.now,
        ..organisation
    };
    store::organisation::update(unit.database, &organisation)?;
    event::record(unit, id, EventAction::Updated, &organisation)?;
    Ok(shown_with(organisation, signing_secret))
}
