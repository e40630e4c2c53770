//! `POST /subscriptions`.

use super::Subscription;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::paylink::create_paylink::{METADATA_KEYS_MAX, REFERENCE_CHARS_MAX};
use crate::validate::{Report, Validate};
use crate::value::{CustomerId, Object, PlanId, Timestamp};

/// Maximum number of plans of a subscription.
pub const PLANS_MAX: usize = 20;

body! {
    /// A new subscription.
    CreateSubscriptionBody {
        /// Subscribing customer.
        customer_id: CustomerId,
        /// Recurring plans with the same currency and billing period.
        plan_ids: Vec<PlanId>,
        /// Start time; now when absent.
        start_at: Option<Timestamp>,
        /// Merchant-defined reference.
        reference: Option<String>,
        /// Free-form JSON object.
        metadata: Option<Object>,
    }
}

impl Validate for CreateSubscriptionBody {
    fn validate(&self, report: &mut Report) {
        report.not_empty("plan_ids", &self.plan_ids, "must list at least one plan");
        report.distinct("plan_ids", &self.plan_ids, PLANS_MAX);
        report.optional_text("reference", self.reference.as_ref(), REFERENCE_CHARS_MAX);
        report.keys("metadata", self.metadata.as_ref(), METADATA_KEYS_MAX);
    }
}

operation! {
    /// Subscribes a customer to plans.
    CreateSubscription in "subscription": POST "/subscriptions",
    body: CreateSubscriptionBody,
    response: Subscription,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
}
