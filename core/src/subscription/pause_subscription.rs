//! `POST /subscriptions/{subscription_id}/pause`.

use super::Subscription;
use crate::operation::{Scope, operation};
use crate::value::SubscriptionId;

operation! {
    /// Pauses a subscription: nothing is billed until it is resumed.
    PauseSubscription in "subscription": POST "/subscriptions/{subscription_id}/pause",
    path: PauseSubscriptionPath {
        /// The subscription's id, with its prefix or as a raw UUID.
        subscription_id: SubscriptionId,
    },
    response: Subscription,
    SCOPE: Scope::Write,
}
