//! `PUT /orgs`.

use super::{Organisation, UnderpayThresholds};
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Scheme, Validate};
use crate::value::{Currency, Object};

/// The most addresses that are to get copies of e-mails.
pub(super) const RECIPIENTS_MAX: usize = 20;

body! {
    /// What is to change; absent fields stay as they are, an empty address is cleared.
    UpdateOrganisationBody {
        /// For people.
        name: Option<String>,
        /// A picture.
        logo_url: Option<String>,
        /// Where webhooks go: HTTPS. Plain HTTP is for development only and needs the server's permission.
        webhook_url: Option<String>,
        /// Who pays what the service takes of a payment, `merchant` or `payer`: with `payer` the prices on the payer's page are
        /// raised by it.
        fee_payer: Option<String>,
        /// The currency that the merchant reckons in; one that the service has a rate for.
        currency: Option<Currency>,
        /// How much too little still counts as paid.
        underpay_thresholds: Option<UnderpayThresholds>,
        /// The zone its people tell the time in, by its name in the IANA database: `Europe/Berlin`.
        time_zone: Option<String>,
        /// Which e-mails are wanted, free-form: kept for whoever sends them, for the service sends none.
        email_notification_options: Option<Object>,
        /// Who is to get copies of e-mails: kept for whoever sends them, for the service sends none.
        forwarded_email_recipients: Option<Vec<String>>,
    }
}

/// Whether a text has the form of a zone's name. Which zones there are changes, and who tells the time knows them.
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
        report.maybe_text("name", self.name.as_ref(), 200);
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
            report.complain(
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
            report.complain(
                "time_zone",
                Reason::UnknownValue,
                "must be a name like Europe/Berlin",
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
                if amount.is_some_and(|amount| amount.is_negative()) {
                    report.complain(
                        &format!("underpay_thresholds.{name}"),
                        Reason::OutOfRange,
                        "must not be negative",
                    );
                }
            }
        }
        if let Some(thresholds) = &self.underpay_thresholds
            && thresholds.underpay_tolerance_amount.is_some()
            && thresholds.underpay_tolerance_currency.is_none()
        {
            report.complain(
                "underpay_thresholds.underpay_tolerance_currency",
                Reason::Required,
                "is required with `underpay_tolerance_amount`",
            );
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
