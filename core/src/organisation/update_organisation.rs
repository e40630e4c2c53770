//! `PUT /orgs`.

use super::{CheckoutStyle, Organisation, UnderpayThresholds};
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Scheme, Validate};
use crate::value::{Currency, Object};

/// Maximum number of `forwarded_email_recipients`.
pub(super) const RECIPIENTS_MAX: usize = 20;

body! {
    /// Changes to an organisation; absent fields stay unchanged, an empty URL is removed.
    UpdateOrganisationBody {
        /// Display name.
        name: Option<String>,
        /// Logo URL.
        logo_url: Option<String>,
        /// Webhook URL, HTTPS. Plain HTTP is for development only and must be enabled on the server.
        webhook_url: Option<String>,
        /// Payer of the service fees: `merchant` or `payer`. With `payer`, prices on the payer's page include the fee.
        fee_payer: Option<String>,
        /// Reporting currency; the service must have a rate for it.
        currency: Option<Currency>,
        /// Tolerated underpayment.
        underpay_thresholds: Option<UnderpayThresholds>,
        /// IANA time zone of the organisation, e.g. `Europe/Berlin`.
        time_zone: Option<String>,
        /// Look and texts of the checkout pages, replaced as a whole; `{}` resets them.
        checkout_style: Option<CheckoutStyle>,
        /// E-mail preferences, free-form. Stored only: the service sends no e-mail.
        email_notification_options: Option<Object>,
        /// E-mail addresses for copies. Stored only: the service sends no e-mail.
        forwarded_email_recipients: Option<Vec<String>>,
    }
}

/// Whether a text looks like a time zone name. Zones change, so only clients that format times check for existence.
fn is_zone(name: &str) -> bool {
    const CHARS_MAX: usize = 64;
    let fits = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic())
            && part
                .chars()
                .all(|one| one.is_ascii_alphanumeric() || matches!(one, '_' | '-' | '+'))
    };
    name.len() <= CHARS_MAX && name.split('/').all(fits)
}

impl Validate for UpdateOrganisationBody {
    fn validate(&self, report: &mut Report) {
        report.optional_text("name", self.name.as_ref(), 200);
        if let Some(url) = self.logo_url.as_ref().filter(|url| !url.is_empty()) {
            report.web_address("logo_url", url, Scheme::Https);
        }
        if let Some(url) = self.webhook_url.as_ref().filter(|url| !url.is_empty()) {
            report.web_address("webhook_url", url, Scheme::HttpOrHttps);
        }
        if self
            .fee_payer
            .as_ref()
            .is_some_and(|payer| !["merchant", "payer"].contains(&payer.as_str()))
        {
            report.add_error(
                "fee_payer",
                Reason::UnknownValue,
                "must be merchant or payer",
            );
        }
        if self
            .time_zone
            .as_ref()
            .is_some_and(|zone| !zone.is_empty() && !is_zone(zone))
        {
            report.add_error(
                "time_zone",
                Reason::UnknownValue,
                "must be an IANA time zone such as Europe/Berlin",
            );
        }
        if let Some(thresholds) = &self.underpay_thresholds {
            let amounts = [
                (
                    "underpay_tolerance_amount",
                    thresholds.underpay_tolerance_amount,
                ),
                ("underpay_tolerance_usd", thresholds.underpay_tolerance_usd),
            ];
            for (name, amount) in amounts {
                if let Some(amount) = amount {
                    report.not_negative(&format!("underpay_thresholds.{name}"), amount);
                }
            }
        }
        if let Some(thresholds) = &self.underpay_thresholds
            && thresholds.underpay_tolerance_amount.is_some()
            && thresholds.underpay_tolerance_currency.is_none()
        {
            report.add_error(
                "underpay_thresholds.underpay_tolerance_currency",
                Reason::Required,
                "is required with `underpay_tolerance_amount`",
            );
        }
        if let Some(style) = &self.checkout_style {
            style.validate(report);
        }
        if let Some(recipients) = &self.forwarded_email_recipients {
            report.items(
                "forwarded_email_recipients",
                recipients.len(),
                RECIPIENTS_MAX,
            );
            for (place, recipient) in recipients.iter().enumerate() {
                report.email(&format!("forwarded_email_recipients[{place}]"), recipient);
            }
        }
    }
}

operation! {
    /// Changes the organisation's settings.
    UpdateOrganisation in "organisation": PUT "/orgs",
    body: UpdateOrganisationBody,
    response: Organisation,
    SCOPE: Scope::Manage,
}
