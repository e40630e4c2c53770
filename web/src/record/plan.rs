//! Billing interval and quantities of plans.

use settlekit_core::plan::Plan;

use crate::text;
use crate::ui::count_text;

pub(crate) fn billing_interval(plan: &Plan) -> String {
    text::billing_interval_text(
        plan.recurring_interval.as_str(),
        plan.recurring_interval_count,
    )
}

pub(crate) fn quantity(units: Option<i64>) -> Option<String> {
    units.map(|units| count_text(units.unsigned_abs()))
}
