//! `GET /subscriptions/{subscription_id}`.

use super::Subscription;
use crate::operation::operation;
use crate::value::SubscriptionId;

operation! {
    /// Reads one subscription with its customer and plans.
    GetSubscription in "subscription": GET "/subscriptions/{subscription_id}",
    path: GetSubscriptionPath {
        /// The subscription's id, with its prefix or as a raw UUID.
        subscription_id: SubscriptionId,
    },
    response: Subscription,
}
