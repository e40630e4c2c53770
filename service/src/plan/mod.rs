//! Billing plans.

mod create_plan;

pub(crate) use create_plan::{Author, create_plan, make, source_of};

use settlekit_core::page::Page;
use settlekit_core::plan::{GetPlan, ListPlans, Plan};
use settlekit_core::value::OrganisationId;

use crate::refusal::{Outcome, Refusal};
use crate::router::Received;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The plan with its paylink.
fn with_link(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    plan: Plan,
) -> Result<Plan, StoreError> {
    let link = store::paylink::of_plan(unit.database, organisation, plan.id)?;
    Ok(Plan {
        payment_link: link.map(Box::new),
        ..plan
    })
}

pub(crate) fn get_plan(unit: &mut Unit<'_>, call: Received<GetPlan>) -> Outcome<Plan> {
    let organisation = call.caller.organisation;
    let plan = store::plan::find(unit.database, organisation, call.path.plan_id)?
        .ok_or_else(|| Refusal::not_found("plan"))?;
    Ok(with_link(unit, organisation, plan)?)
}

pub(crate) fn list_plans(unit: &mut Unit<'_>, call: Received<ListPlans>) -> Outcome<Page<Plan>> {
    let organisation = call.caller.organisation;
    let mut page = store::plan::list(unit.database, organisation, &call.query)?;
    for plan in std::mem::take(&mut page.items) {
        page.items.push(with_link(unit, organisation, plan)?);
    }
    Ok(page)
}
