//! The context of a sealed secret: it opens only for the same row.

use std::fmt::Display;

use settlekit_core::value::OrganisationId;

use crate::store::sealed::Kind;
use crate::store::sql::StoreError;

pub(crate) fn signing_secret(organisation: OrganisationId) -> String {
    format!("signing secret {organisation}")
}

pub(crate) fn webhook_key(organisation: OrganisationId) -> String {
    format!("webhook key {organisation}")
}

pub(crate) fn external_account(organisation: impl Display, id: impl Display) -> String {
    format!("external account {id} {organisation}")
}

pub(crate) fn answer(caller: &str, key: &str) -> String {
    format!("idempotency {caller} {key}")
}

/// The seed of a hot wallet, or the URL of its signer, by its address.
pub(crate) fn wallet(address: &str) -> String {
    format!("wallet {address}")
}

/// The URLs of a chain's nodes.
pub(crate) fn providers(chain: impl Display) -> String {
    format!("providers {chain}")
}

/// The credentials of an exchange account, by its name.
pub(crate) fn exchange_account(name: &str) -> String {
    format!("exchange account {name}")
}

/// The context of a sealed value, from its row's key.
pub(crate) fn of_row(kind: Kind, first: &str, second: &str) -> Result<String, StoreError> {
    let organisation = || {
        first
            .parse()
            .map_err(|_| StoreError::Damaged(format!("{first:?} is no organisation")))
    };
    Ok(match kind {
        Kind::SigningSecret => signing_secret(organisation()?),
        Kind::WebhookKey => webhook_key(organisation()?),
        Kind::ExternalAccount => external_account(first, second),
        Kind::Answer => answer(first, second),
        Kind::Wallet => wallet(first),
        Kind::Providers => providers(first),
        Kind::ExchangeAccount => exchange_account(first),
    })
}
