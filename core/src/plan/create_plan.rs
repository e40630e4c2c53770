//! `POST /plan`.

use super::period::{Period, check_period};
use super::{Plan, PlanType, RecurringInterval};
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::paylink::create_paylink::{
    DESCRIPTION_CHARS_MAX, METADATA_KEYS_MAX, NAME_CHARS_MAX, QUANTITY_MAX, REFERENCE_CHARS_MAX,
};
use crate::validate::{Report, Scheme, Validate};
use crate::value::{Amount, Currency, Object, Timestamp};

body! {
    /// A new billing plan.
    CreatePlanBody {
        /// Display name.
        name: String,
        /// Price.
        price: Amount,
        /// Currency of `price`.
        currency: Currency,
        /// Quantity for sale; unlimited if absent.
        available_quantity: Option<i64>,
        /// Description shown to the payer.
        description: Option<String>,
        /// Sales end at this time.
        expires_at: Option<Timestamp>,
        /// Image URL.
        image_url: Option<String>,
        /// Free-form JSON object.
        metadata: Option<Object>,
        /// Interval of a billing period; recurring plans only.
        recurring_interval: Option<RecurringInterval>,
        /// Number of intervals in a billing period.
        recurring_interval_count: Option<i64>,
        /// Merchant-defined reference.
        reference: Option<String>,
        /// Free trial before the first period, ISO 8601 (`P14D`).
        trial_period: Option<String>,
        /// One-time or recurring.
        r#type: Option<PlanType>,
    }
}

impl Validate for CreatePlanBody {
    fn validate(&self, report: &mut Report) {
        report.text("name", &self.name, NAME_CHARS_MAX);
        report.positive("price", self.price);
        report.quantity(
            "available_quantity",
            self.available_quantity,
            1..=QUANTITY_MAX,
        );
        report.optional_text(
            "description",
            self.description.as_ref(),
            DESCRIPTION_CHARS_MAX,
        );
        if let Some(url) = &self.image_url {
            report.web_address("image_url", url, Scheme::Https);
        }
        if let Some(metadata) = &self.metadata {
            report.items("metadata", metadata.len(), METADATA_KEYS_MAX);
        }
        check_period(
            Period {
                interval: ("recurring_interval", self.recurring_interval.as_ref()),
                count: ("recurring_interval_count", self.recurring_interval_count),
                kind: self.r#type.as_ref(),
                has_trial: self.trial_period.is_some(),
            },
            report,
        );
        report.optional_text("reference", self.reference.as_ref(), REFERENCE_CHARS_MAX);
        report.period("trial_period", self.trial_period.as_deref());
        if let Some(PlanType::Other(_) | PlanType::Unknown) = &self.r#type {
            report.add_error("type", Reason::UnknownValue, "must be OneTime or Recurring");
        }
    }
}

operation! {
    /// Creates a billing plan.
    CreatePlan in "plan": POST "/plan",
    body: CreatePlanBody,
    response: Plan,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
}
