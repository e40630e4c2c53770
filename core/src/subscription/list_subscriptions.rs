//! `GET /subscriptions`.

use super::{Subscription, SubscriptionStatus};
use crate::operation::{Wire, operation};
use crate::page::{CountsBy, Page, list_query};
use crate::value::CustomerId;

list_query! {
    /// Filters of the subscription list.
    ListSubscriptionsQuery {
        /// Filter by customer.
        customer_id: Option<CustomerId>,
        /// Filter by status.
        status: Option<SubscriptionStatus>,
        /// `status` also counts the subscriptions with each status. Absent with a customer.
        counts: Option<CountsBy>,
    }
}

operation! {
    /// Lists subscriptions, each with its customer and plans.
    ListSubscriptions in "subscription": GET "/subscriptions",
    query: ListSubscriptionsQuery,
    response: Page<Subscription>,
    WIRE: Wire::List,
}
