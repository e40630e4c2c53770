//! Status, billing interval and quantities of plans.

use settlekit_core::plan::Plan;

use crate::text;
use crate::ui::count_text;

/// Status of a plan, as a word of badges.
pub(crate) const fn status(plan: &Plan) -> &'static str {
    match (plan.deleted_at, plan.enabled) {
        (Some(_), _) => "Deleted",
        (None, true) => "Open",
        (None, false) => "Disabled",
    }
}

pub(crate) fn billing_interval(plan: &Plan) -> String {
    text::billing_interval_text(
        plan.recurring_interval.as_str(),
        plan.recurring_interval_count,
    )
}

pub(crate) fn quantity(units: Option<i64>) -> Option<String> {
    units.map(|units| count_text(units.unsigned_abs()))
}
