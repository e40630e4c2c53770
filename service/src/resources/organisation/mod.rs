//! Settings and secrets of an organisation.

mod rotate_signing_secret;
mod rotate_webhook_key;
mod update_organisation;

pub(crate) use rotate_signing_secret::rotate_signing_secret;
pub(crate) use rotate_webhook_key::rotate_webhook_key;
pub(crate) use update_organisation::update_organisation;

use settlekit_core::organisation::{
    GetOrganisation, GetSigningSecret, Organisation, SigningSecret,
};
use settlekit_core::value::OrganisationId;
use settlekit_core::webhook::WebhookKey;

use crate::secret::context;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

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
