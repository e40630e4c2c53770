//! Settings and secrets of an organisation.

mod update_organisation;

pub(crate) use update_organisation::update_organisation;

use settlekit_core::event::EventAction;
use settlekit_core::organisation::{
    GetOrganisation, GetSigningSecret, Organisation, ROTATION_OVERLAP, RotateSigningSecret,
    RotateWebhookKey, SigningSecret,
};
use settlekit_core::value::OrganisationId;
use settlekit_core::webhook::WebhookKey;

use crate::resources::event;
use crate::secret::context;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};
use crate::{secret, store};

pub(crate) fn open_signing_secret(
    unit: &Unit<'_>,
    organisation: OrganisationId,
    sealed: &[u8],
) -> Result<String, StoreError> {
    let opened = unit.open(&context::signing_secret(organisation), sealed);
    let secret = opened.and_then(|bytes| String::from_utf8(bytes).ok());
    secret.ok_or_else(|| {
        StoreError::Broken(
            "the signing secret cannot be decrypted: was the master key changed?".into(),
        )
    })
}

/// Creates a webhook key for an organisation and returns the public key as PEM.
pub(crate) fn add_webhook_key(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
) -> Result<String, StoreError> {
    let bytes = unit.random.bytes::<32>();
    let public = WebhookKey::from_secret(&bytes).public();
    let sealed = unit.seal(&context::webhook_key(organisation), &bytes)?;
    store::organisation::insert_webhook_key(
        unit.database,
        organisation,
        &public.id(),
        &sealed,
        unit.now,
    )?;
    Ok(public.to_pem())
}

/// The active webhook keys of an organisation, newest first.
pub(crate) fn webhook_keys(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
) -> Result<Vec<WebhookKey>, StoreError> {
    let sealed = store::organisation::webhook_keys(unit.database, organisation, unit.now)?;
    sealed
        .iter()
        .map(|(_, sealed)| {
            let opened = unit.open(&context::webhook_key(organisation), sealed);
            let bytes = opened.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
            bytes
                .map(|bytes| WebhookKey::from_secret(&bytes))
                .ok_or_else(|| {
                    StoreError::Broken(
                        "a webhook key cannot be decrypted: was the master key changed?".into(),
                    )
                })
        })
        .collect()
}

fn find(unit: &mut Unit<'_>, id: OrganisationId) -> Outcome<Organisation> {
    store::organisation::find(unit.database, id)?.ok_or_else(|| Refusal::not_found("organisation"))
}

pub(crate) fn get_organisation(
    unit: &mut Unit<'_>,
    call: Received<GetOrganisation>,
) -> Outcome<Organisation> {
    find(unit, call.caller.organisation)
}

pub(crate) fn get_signing_secret(
    unit: &mut Unit<'_>,
    call: Received<GetSigningSecret>,
) -> Outcome<SigningSecret> {
    let organisation = find(unit, call.caller.organisation)?;
    let sealed = store::organisation::signing_secret(unit.database, organisation.id)?;
    let secret = open_signing_secret(unit, organisation.id, &sealed)?;
    Ok(shown_with(organisation, secret))
}

fn shown_with(organisation: Organisation, signing_secret: String) -> SigningSecret {
    SigningSecret {
        signing_secret,
        signing_secret_overlap_until: organisation.signing_secret_overlap_until,
        id: organisation.id,
        name: organisation.name,
        logo_url: organisation.logo_url,
        owner_user_id: organisation.owner_user_id,
        partner_id: organisation.partner_id,
        webhook_url: organisation.webhook_url,
        webhook_public_key: organisation.webhook_public_key,
        created_at: organisation.created_at,
        updated_at: organisation.updated_at,
    }
}

/// The retired signing secrets that are still valid.
pub(crate) fn retired_signing_secrets(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
) -> Result<Vec<String>, StoreError> {
    let sealed = store::signing_secret::retired(unit.database, organisation, unit.now)?;
    sealed
        .iter()
        .map(|sealed| open_signing_secret(unit, organisation, sealed))
        .collect()
}

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
