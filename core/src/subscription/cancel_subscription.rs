//! `POST /subscriptions/{subscription_id}/cancel`.

use super::Subscription;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::SubscriptionId;

body! {
    /// When a subscription is to end.
    CancelSubscriptionBody {
        /// With the period that runs instead of at once; false takes that back.
        at_period_end: Option<bool>,
    }
}

impl Validate for CancelSubscriptionBody {
    fn validate(&self, _: &mut Report) {}
}

operation! {
    /// Cancels a subscription, at once or with the period that runs.
    CancelSubscription in "subscription": POST "/subscriptions/{subscription_id}/cancel",
    path: CancelSubscriptionPath {
        /// The subscription's id, with its prefix or as a raw UUID.
        subscription_id: SubscriptionId,
    },
    body: CancelSubscriptionBody,
    response: Subscription,
    SCOPE: Scope::Write,
}
