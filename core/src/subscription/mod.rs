//! Subscriptions: recurring purchases of plans (contract, "Subscription").

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
pub use state::TRANSITIONS;

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
    /// Status of a subscription (contract, "States and transitions").
    SubscriptionStatus { Unknown, Pending, Future, InTrial, Active, Paused, Expired, Canceled }
}

open_enum! {
    /// Payment method of a subscription.
    SubscriptionPaymentMethod {
        Unknown,
        /// An invoice with a payment link for each period.
        Invoice,
    }
}

record! {
    /// A subscription.
    Subscription {
        /// Unique id.
        id: SubscriptionId,
        /// Merchant-defined reference.
        reference?: String,
        /// Subscribing customer.
        customer_id: CustomerId,
        /// Subscribing customer.
        customer?: Customer,
        /// Billing currency.
        currency: Currency,
        /// Current status.
        status: SubscriptionStatus,
        /// Payment method.
        payment_method: SubscriptionPaymentMethod,
        /// Whether it ends with the current period.
        cancel_at_period_end: bool,
        /// Whether an invoice is overdue.
        is_overdue: bool,
        /// Start time.
        start_at: Timestamp,
        /// End of the running period or of the trial: the time of the next invoice, or of the end of a subscription that is canceled at its
        /// period's end. Not in events; absent while the subscription is paused, and after its end.
        period_end?: Timestamp,
        /// End of the trial; absent after it. Not in events.
        trial_ends_at?: Timestamp,
        /// Organisation that owns it.
        org_id: OrganisationId,
        /// Origin of the record.
        source?: Source,
        /// Free-form JSON object.
        metadata?: Object,
        /// Free-form JSON object.
        properties?: Object,
        /// Plans of the subscription.
        items: Vec<SubscriptionItem>,
        /// Type not stated by the contract.
        v1?: Value,
        /// Creation time.
        created_at: Timestamp,
        /// Time of the last change.
        updated_at: Timestamp,
    }
}

record! {
    /// A plan of a subscription.
    SubscriptionItem {
        /// Unique id.
        id: SubscriptionItemId,
        /// Subscription it belongs to.
        subscription_id: SubscriptionId,
        /// Plan.
        plan_id: PlanId,
        /// Plan.
        plan?: Plan,
        /// Free-form JSON object.
        properties?: Object,
        /// Type not stated by the contract.
        v1?: Value,
        /// Creation time.
        created_at: Timestamp,
        /// Time of the last change.
        updated_at: Timestamp,
    }
}
