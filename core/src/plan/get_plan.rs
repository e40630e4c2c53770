//! `GET /plan/{plan_id}`.

use super::Plan;
use crate::operation::operation;
use crate::value::PlanId;

operation! {
    /// Reads one billing plan with its paylink.
    GetPlan in "plan": GET "/plan/{plan_id}",
    path: GetPlanPath {
        /// The plan's id.
        plan_id: PlanId,
    },
    response: Plan,
}
