//! `GET /subscriptions`.

use super::{Subscription, SubscriptionStatus};
use crate::field::query;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page, Paged};
use crate::value::CustomerId;

query! {
    /// Filters of the subscription list.
    ListSubscriptionsQuery {
        /// Shared list parameters.
        list: ListQuery,
        /// Filter by customer.
        customer_id: Option<CustomerId>,
        /// Filter by status.
        status: Option<SubscriptionStatus>,
    }
    names &["limit", "page", "since", "until", "sort", "customer_id", "status"]
}

operation! {
    /// Lists subscriptions, each with its customer and plans.
    ListSubscriptions in "subscription": GET "/subscriptions",
    query: ListSubscriptionsQuery,
    response: Page<Subscription>,
    WIRE: Wire::List,
}

impl Paged for ListSubscriptionsQuery {
    fn list_mut(&mut self) -> &mut ListQuery {
        &mut self.list
    }
}
