//! Updates the settings; absent fields stay unchanged.

use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::organisation::{
    Organisation, OrganisationProperties, UnderpayThresholds, UpdateOrganisation,
    UpdateOrganisationBody,
};

use crate::money::prices;
use crate::resources::{chain, event};
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn update_organisation(
    unit: &mut Unit<'_>,
    call: Received<UpdateOrganisation>,
) -> Outcome<Organisation> {
    let id = call.caller.organisation;
    let UpdateOrganisationBody {
        name,
        logo_url,
        webhook_url,
        fee_payer,
        currency,
        underpay_thresholds,
        time_zone,
        checkout_style,
        email_notification_options,
        forwarded_email_recipients,
    } = call.body;
    // URL schemes are case-insensitive (RFC 3986, section 3.1).
    let plain_http = webhook_url
        .as_ref()
        .is_some_and(|url| url.to_ascii_lowercase().starts_with("http://"));
    if plain_http && !unit.options().allow_private_webhooks {
        return Err(Refusal::field(
            "webhook_url",
            Reason::UrlNotHttps,
            "must start with https://",
        ));
    }
    let before = store::organisation::lock(unit.database, id)?
        .ok_or_else(|| Refusal::not_found("organisation"))?;
    let cleared = |given: Option<String>, before: Option<String>| match given {
        Some(text) if text.is_empty() => None,
        Some(text) => Some(text),
        None => before,
    };
    // Webhooks contain names, addresses and amounts, so a new URL needs a step-up.
    if let Some(url) = &webhook_url
        && *url != before.webhook_url.clone().unwrap_or_default()
    {
        call.caller.need_fresh_session()?;
    }
    let properties = before.properties.unwrap_or_default();
    // An unchanged value is accepted: forms send it back.
    if currency != properties.currency
        && let Some(currency) = &currency
        && prices::of(unit, [currency])?.price(currency).is_none()
    {
        let no_rate = prices::no_rate(unit, Some("currency"), &[currency])?;
        return Err(no_rate.unwrap_or_else(|| {
            Refusal::not_supported("currency", "is not a currency with an exchange rate")
        }));
    }
    let tolerated = |thresholds: &Option<UnderpayThresholds>| {
        let thresholds = thresholds.as_ref();
        thresholds.and_then(|thresholds| thresholds.underpay_tolerance_currency.clone())
    };
    let in_currency = tolerated(&underpay_thresholds);
    if let Some(currency) = &in_currency
        && in_currency != tolerated(&properties.underpay_thresholds)
    {
        const FIELD: &str = "underpay_thresholds.underpay_tolerance_currency";
        chain::check_taken(unit, Some(FIELD), currency)?;
    }
    // Setting the URL, even to the same value, ends a pause.
    let set = webhook_url.is_some();
    let organisation = Organisation {
        webhook_paused_at: before.webhook_paused_at.filter(|_| !set),
        name: name.unwrap_or(before.name),
        logo_url: cleared(logo_url, before.logo_url),
        webhook_url: cleared(webhook_url, before.webhook_url),
        properties: Some(OrganisationProperties {
            currency: currency.or(properties.currency),
            fee_payer: fee_payer.or(properties.fee_payer),
            forwarded_email_recipients: forwarded_email_recipients
                .or(properties.forwarded_email_recipients),
            email_notification_options: email_notification_options
                .or(properties.email_notification_options),
            underpay_thresholds: underpay_thresholds.or(properties.underpay_thresholds),
            time_zone: cleared(time_zone, properties.time_zone),
            checkout_style: checkout_style
                .or(properties.checkout_style)
                .filter(|style| !style.is_default()),
            ..properties
        }),
        updated_at: unit.now,
        ..before
    };
    store::organisation::update(unit.database, &organisation)?;
    if set {
        store::delivery::resume(unit.database, id, unit.now)?;
    }
    event::record(unit, id, EventAction::Updated, &organisation)?;
    Ok(organisation)
}
