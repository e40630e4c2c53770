//! `POST /subscriptions/{subscription_id}/resume`.

use super::Subscription;
use crate::operation::{Scope, operation};
use crate::value::SubscriptionId;

operation! {
    /// Resumes a paused subscription; a new period starts immediately.
    ResumeSubscription in "subscription": POST "/subscriptions/{subscription_id}/resume",
    path: ResumeSubscriptionPath {
        /// The subscription's id, with its prefix or as a raw UUID.
        subscription_id: SubscriptionId,
    },
    response: Subscription,
    SCOPE: Scope::Write,
}
