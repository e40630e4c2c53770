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
    /// What a new plan is, and what it costs.
    CreatePlanBody {
        /// For people.
        name: String,
        /// What it costs.
        price: Amount,
        /// The currency of `price`.
        currency: Currency,
        /// How many may be sold; unlimited when absent.
        available_quantity: Option<i64>,
        /// For people.
        description: Option<String>,
        /// When it stops being sold.
        expires_at: Option<Timestamp>,
        /// A picture.
        image_url: Option<String>,
        /// Free-form.
        metadata: Option<Object>,
        /// The length of a billing period, for a recurring plan.
        recurring_interval: Option<RecurringInterval>,
        /// How many intervals a billing period has.
        recurring_interval_count: Option<i64>,
        /// The merchant's own name for it.
        reference: Option<String>,
        /// How long the first period is free, ISO 8601 (`P14D`).
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
        report.maybe_text(
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
        report.maybe_text("reference", self.reference.as_ref(), REFERENCE_CHARS_MAX);
        report.period("trial_period", self.trial_period.as_deref());
        if let Some(PlanType::Other(_) | PlanType::Unknown) = &self.r#type {
            report.complain("type", Reason::UnknownValue, "must be OneTime or Recurring");
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
