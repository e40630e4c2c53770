//! `POST /subscriptions/{subscription_id}/cancel`.

use super::Subscription;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::Validate;
use crate::value::SubscriptionId;

body! {
    /// Options of a cancellation.
    CancelSubscriptionBody {
        /// Cancels at the end of the current period instead of immediately; false withdraws that.
        at_period_end: Option<bool>,
    }
}

impl Validate for CancelSubscriptionBody {}

operation! {
    /// Cancels a subscription immediately or at the end of the current period.
    CancelSubscription in "subscription": POST "/subscriptions/{subscription_id}/cancel",
    path: CancelSubscriptionPath {
        /// The subscription's id, with its prefix or as a raw UUID.
        subscription_id: SubscriptionId,
    },
    body: CancelSubscriptionBody,
    response: Subscription,
    SCOPE: Scope::Write,
}
