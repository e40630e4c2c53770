//! `POST /plan`.

use super::product::{NAME_CHARS_MAX, Product};
use super::{Plan, PlanType, RecurringInterval};
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
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
        Product {
            available_quantity: self.available_quantity,
            description: self.description.as_ref(),
            image_url: self.image_url.as_ref(),
            interval: ("recurring_interval", self.recurring_interval.as_ref()),
            count: ("recurring_interval_count", self.recurring_interval_count),
            metadata: self.metadata.as_ref(),
            reference: self.reference.as_ref(),
            trial_period: self.trial_period.as_deref(),
            kind: self.r#type.as_ref(),
        }
        .check(report);
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
