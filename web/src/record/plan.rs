//! Billing interval of plans.

use settlekit_core::plan::Plan;

use crate::text;

pub(crate) fn billing_interval(plan: &Plan) -> String {
    text::billing_interval_text(
        plan.recurring_interval.as_str(),
        plan.recurring_interval_count,
    )
}
