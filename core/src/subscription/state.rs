//! Transitions of a subscription's status. Overdue is a flag, not a state.

use super::SubscriptionStatus;
use crate::state::transitions;

transitions! {
    /// Transitions of a subscription's status.
    TRANSITIONS: SubscriptionStatus of "Subscription", initially Pending, Future, InTrial, Active;
    Future => InTrial: "its start date is reached, with a trial",
    Future => Active: "its start date is reached",
    Pending => Active: "its first period begins",
    Pending => Expired: "dunning of an invoice was given up",
    InTrial => Active: "the trial ends",
    InTrial => Paused: "the merchant paused it",
    Active => Paused: "the merchant paused it",
    Paused => Active: "the merchant resumed it",
    Paused => InTrial: "the merchant resumed it during its trial",
    Active => Expired: "dunning of an invoice was given up",
    Pending => Canceled: "it was canceled",
    Future => Canceled: "it was canceled",
    InTrial => Canceled: "it was canceled",
    Active => Canceled: "it was canceled",
    Paused => Canceled: "it was canceled",
}
