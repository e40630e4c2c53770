//! The product of a plan or a paylink: limits and checks that both have.

use super::{PlanType, RecurringInterval};
use crate::error::Reason;
use crate::validate::{Report, Scheme};
use crate::value::Object;

/// Maximum length of a product name, in characters.
pub const NAME_CHARS_MAX: usize = 200;
/// Maximum length of a product description, in characters.
pub const DESCRIPTION_CHARS_MAX: usize = 2000;
/// Maximum length of a reference, in characters.
pub const REFERENCE_CHARS_MAX: usize = 128;
/// Maximum number of keys of a free-form object.
pub const METADATA_KEYS_MAX: usize = 50;
/// Maximum quantity for sale.
pub const QUANTITY_MAX: i64 = 1_000_000_000;

/// A product, with the caller's field names for its billing period.
pub(crate) struct Product<'a> {
    pub(crate) available_quantity: Option<i64>,
    pub(crate) description: Option<&'a String>,
    pub(crate) image_url: Option<&'a String>,
    pub(crate) interval: (&'static str, Option<&'a RecurringInterval>),
    pub(crate) count: (&'static str, Option<i64>),
    pub(crate) metadata: Option<&'a Object>,
    pub(crate) reference: Option<&'a String>,
    pub(crate) trial_period: Option<&'a str>,
    pub(crate) kind: Option<&'a PlanType>,
}

impl Product<'_> {
    /// Reports values outside their limits.
    pub(crate) fn check(&self, report: &mut Report) {
        report.quantity(
            "available_quantity",
            self.available_quantity,
            1..=QUANTITY_MAX,
        );
        report.optional_text("description", self.description, DESCRIPTION_CHARS_MAX);
        if let Some(url) = self.image_url {
            report.web_address("image_url", url, Scheme::Https);
        }
        check_period(self, report);
        report.keys("metadata", self.metadata, METADATA_KEYS_MAX);
        report.optional_text("reference", self.reference, REFERENCE_CHARS_MAX);
        report.period("trial_period", self.trial_period);
        if let Some(PlanType::Other(_) | PlanType::Unknown) = self.kind {
            report.add_error("type", Reason::UnknownValue, "must be OneTime or Recurring");
        }
    }
}

/// Reports a billing period that is missing for a recurring plan, given for a one-time plan, or invalid.
fn check_period(product: &Product<'_>, report: &mut Report) {
    let (name, interval) = product.interval;
    match (product.kind, interval) {
        (Some(PlanType::Recurring), None) => {
            report.add_error(name, Reason::Required, "is required for a recurring plan");
        }
        (_, Some(RecurringInterval::Other(_) | RecurringInterval::Unknown)) => {
            report.add_error(
                name,
                Reason::UnknownValue,
                "must be Day, Week, Month or Year",
            );
        }
        // An unknown type neither requires nor excludes an interval.
        (Some(PlanType::Recurring | PlanType::Other(_)), Some(_)) | (_, None) => {}
        (_, Some(_)) => {
            report.add_error(
                name,
                Reason::Excluded,
                "must be absent unless `type` is Recurring",
            );
        }
    }
    let (name, count) = product.count;
    report.quantity(name, count, 1..=365);
    // Without recurrence, trial and interval count would promise something that never happens.
    let has_trial = product.trial_period.is_some();
    for (name, given) in [(name, count.is_some()), ("trial_period", has_trial)] {
        if given && matches!(product.kind, None | Some(PlanType::OneTime)) {
            report.add_error(
                name,
                Reason::Excluded,
                "must be absent unless `type` is Recurring",
            );
        }
    }
}
