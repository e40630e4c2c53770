//! Billing plans: what a paylink sells (contract, "Plan").

pub(crate) mod create_plan;
mod get_plan;
mod list_plans;
pub(crate) mod period;

pub use create_plan::{CreatePlan, CreatePlanBody};
pub use get_plan::{GetPlan, GetPlanPath};
pub use list_plans::ListPlans;

use crate::paylink::{Paylink, Source};
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{Amount, Currency, Object, OrganisationId, PlanId, Timestamp};

open_enum! {
    /// How a plan is charged.
    BillingScheme { FlatFee }
}

open_enum! {
    /// What kind of plan it is.
    PlanType { Unknown, OneTime, Recurring }
}

open_enum! {
    /// The length of a billing period.
    RecurringInterval { Unknown, Day, Week, Month, Year }
}

open_enum! {
    /// How usage is counted.
    RecurringUsageType { Unknown, Licensed, Metered }
}

record! {
    /// A billing plan.
    Plan {
        /// Unique id.
        id: PlanId,
        /// For people.
        name: String,
        /// The merchant's own name for it.
        reference?: String,
        /// For people.
        description?: String,
        /// A picture.
        image_url?: String,
        /// The organisation it belongs to.
        org_id: OrganisationId,
        /// The currency of `price`.
        currency: Currency,
        /// What it costs.
        price: Amount,
        /// How many may still be sold; absent when unlimited.
        available_quantity?: i64,
        /// How many more unpaid checkouts hold; absent when unlimited.
        held_quantity?: i64,
        /// How it is charged.
        billing_scheme: BillingScheme,
        /// What kind of plan it is.
        r#type: PlanType,
        /// The length of a period.
        recurring_interval: RecurringInterval,
        /// How many intervals a period has.
        recurring_interval_count?: i64,
        /// How usage is counted.
        recurring_usage_type: RecurringUsageType,
        /// How long the first period is free.
        trial_period?: String,
        /// Whether it can be bought.
        enabled: bool,
        /// When it stops being sold.
        expires_at?: Timestamp,
        /// Its paylink, without the plan inside.
        payment_link?: Box<Paylink>,
        /// Free-form.
        metadata?: Object,
        /// Free-form.
        properties?: Object,
        /// Where it came from.
        source?: Source,
        /// When it was made.
        created_at: Timestamp,
        /// Who made it.
        created_by?: String,
        /// When it last changed.
        updated_at: Timestamp,
        /// When it was deleted, if it was.
        deleted_at?: Timestamp,
    }
}
