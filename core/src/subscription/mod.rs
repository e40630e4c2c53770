//! Subscriptions: who buys a plan again and again (contract, "Subscription").

mod cancel_subscription;
pub mod create_subscription;
mod get_subscription;
mod list_subscriptions;
mod pause_subscription;
mod resume_subscription;
mod state;

pub use cancel_subscription::{CancelSubscription, CancelSubscriptionBody, CancelSubscriptionPath};
pub use create_subscription::{CreateSubscription, CreateSubscriptionBody};
pub use get_subscription::{GetSubscription, GetSubscriptionPath};
pub use list_subscriptions::{ListSubscriptions, ListSubscriptionsQuery};
pub use pause_subscription::{PauseSubscription, PauseSubscriptionPath};
pub use resume_subscription::{ResumeSubscription, ResumeSubscriptionPath};
pub use state::MOVES;

use serde_json::Value;

use crate::customer::Customer;
use crate::paylink::Source;
use crate::plan::Plan;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{
    Currency, CustomerId, Object, OrganisationId, PlanId, SubscriptionId, SubscriptionItemId,
    Timestamp,
};

open_enum! {
    /// Where a subscription stands (contract, "States and transitions").
    SubscriptionStatus { Unknown, Pending, Future, InTrial, Active, Paused, Expired, Canceled }
}

open_enum! {
    /// How a subscription is paid.
    SubscriptionPaymentMethod {
        Unknown,
        /// The customer is sent an invoice with a link each time.
        Invoice,
    }
}

record! {
    /// A subscription.
    Subscription {
        /// Unique id.
        id: SubscriptionId,
        /// The merchant's own name for it.
        reference?: String,
        /// Who subscribed.
        customer_id: CustomerId,
        /// Who subscribed.
        customer?: Customer,
        /// The currency it is billed in.
        currency: Currency,
        /// Where it stands.
        status: SubscriptionStatus,
        /// How it is paid.
        payment_method: SubscriptionPaymentMethod,
        /// Whether it ends with the period that runs.
        cancel_at_period_end: bool,
        /// Whether an invoice is past its due date.
        is_overdue: bool,
        /// When it begins, or began.
        start_at: Timestamp,
        /// The organisation it belongs to.
        org_id: OrganisationId,
        /// Where it came from.
        source?: Source,
        /// Free-form.
        metadata?: Object,
        /// Free-form.
        properties?: Object,
        /// What is bought.
        items: Vec<SubscriptionItem>,
        /// Without a stated type.
        v1?: Value,
        /// When it was made.
        created_at: Timestamp,
        /// When it last changed.
        updated_at: Timestamp,
    }
}

record! {
    /// One plan of a subscription.
    SubscriptionItem {
        /// Unique id.
        id: SubscriptionItemId,
        /// The subscription it belongs to.
        subscription_id: SubscriptionId,
        /// What is bought.
        plan_id: PlanId,
        /// What is bought.
        plan?: Plan,
        /// Free-form.
        properties?: Object,
        /// Without a stated type.
        v1?: Value,
        /// When it was made.
        created_at: Timestamp,
        /// When it last changed.
        updated_at: Timestamp,
    }
}
