//! Plans: how often they are charged.

use settlekit_core::plan::Plan;

use crate::text;

/// How often a plan is charged.
pub(crate) fn billing_interval(plan: &Plan) -> String {
    text::rhythm(
        plan.recurring_interval.as_str(),
        plan.recurring_interval_count,
    )
}
