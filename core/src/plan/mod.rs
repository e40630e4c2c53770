//! Billing plans: products sold by paylinks (contract, "Plan").

pub(crate) mod create_plan;
mod get_plan;
mod list_plans;
pub(crate) mod product;

pub use create_plan::{CreatePlan, CreatePlanBody};
pub use get_plan::{GetPlan, GetPlanPath};
pub use list_plans::ListPlans;

use crate::paylink::{Paylink, Source};
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{Amount, Currency, Object, OrganisationId, PlanId, Timestamp};

open_enum! {
    /// Billing scheme of a plan.
    BillingScheme { FlatFee }
}

open_enum! {
    /// Type of a plan.
    PlanType { Unknown, OneTime, Recurring }
}

open_enum! {
    /// Interval of a billing period.
    RecurringInterval { Unknown, Day, Week, Month, Year }
}

open_enum! {
    /// How usage is measured.
    RecurringUsageType { Unknown, Licensed, Metered }
}

record! {
    /// A billing plan.
    Plan {
        /// Unique id.
        id: PlanId,
        /// Display name.
        name: String,
        /// Merchant-defined reference.
        reference?: String,
        /// Description shown to the payer.
        description?: String,
        /// Image URL.
        image_url?: String,
        /// Organisation that owns it.
        org_id: OrganisationId,
        /// Currency of `price`.
        currency: Currency,
        /// Price.
        price: Amount,
        /// Quantity still for sale; absent when unlimited.
        available_quantity?: i64,
        /// Quantity reserved by unpaid checkouts; absent when unlimited.
        held_quantity?: i64,
        /// Billing scheme.
        billing_scheme: BillingScheme,
        /// Type.
        r#type: PlanType,
        /// Interval of a billing period.
        recurring_interval: RecurringInterval,
        /// Number of intervals in a billing period.
        recurring_interval_count?: i64,
        /// How usage is measured.
        recurring_usage_type: RecurringUsageType,
        /// Free trial before the first period, ISO 8601 (`P14D`).
        trial_period?: String,
        /// Whether it is for sale.
        enabled: bool,
        /// Sales end at this time.
        expires_at?: Timestamp,
        /// Its paylink, without the embedded plan.
        payment_link?: Box<Paylink>,
        /// Free-form JSON object.
        metadata?: Object,
        /// Free-form JSON object.
        properties?: Object,
        /// Origin of the record.
        source?: Source,
        /// Creation time.
        created_at: Timestamp,
        /// User or API key that created it.
        created_by?: String,
        /// Time of the last change.
        updated_at: Timestamp,
        /// Deletion time; absent unless deleted.
        deleted_at?: Timestamp,
    }
}
