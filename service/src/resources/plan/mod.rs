//! Billing plans.

mod create_plan;

pub(crate) use create_plan::{Author, create, create_plan, record_created, source_of};

use settlekit_core::event::EventAction;
use settlekit_core::page::Page;
use settlekit_core::plan::{GetPlan, ListPlans, Plan};
use settlekit_core::value::{OrganisationId, PlanId};

use crate::resources::event;
use crate::store;
pub(crate) use crate::store::plan::Stock;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

fn with_link(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    plan: Plan,
) -> Result<Plan, StoreError> {
    let link = store::paylink::of_plan(unit.database, organisation, plan.id)?;
    Ok(Plan {
        enabled: plan.enabled && link.as_ref().is_none_or(|link| link.enabled),
        payment_link: link.map(Box::new),
        ..plan
    })
}

/// A plan that can be bought: plan and paylink enabled, not expired, in stock.
pub(crate) fn on_sale(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: PlanId,
) -> Result<Option<Plan>, StoreError> {
    let Some(plan) = store::plan::LISTING.find(unit.database, organisation, id)? else {
        return Ok(None);
    };
    let plan = with_link(unit, organisation, plan)?;
    let is_on_sale = plan.enabled
        && plan.deleted_at.is_none()
        && plan.expires_at.is_none_or(|at| at > unit.now)
        && plan.available_quantity != Some(0);
    // Copies of the plan omit the paylink.
    Ok(is_on_sale.then_some(Plan {
        payment_link: None,
        ..plan
    }))
}

/// Enables or disables a plan with its paylink, with an event on a change; existing subscriptions continue.
pub(crate) fn follow_link(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: PlanId,
    enabled: bool,
) -> Result<(), StoreError> {
    let plan = store::plan::LISTING
        .lock(unit.database, organisation, id)?
        .ok_or_else(|| StoreError::Damaged("a paylink sells no plan".into()))?;
    if plan.enabled == enabled {
        return Ok(());
    }
    changed(unit, Plan { enabled, ..plan })
}

/// Updates a plan and records its event.
pub(crate) fn changed(unit: &mut Unit<'_>, plan: Plan) -> Result<(), StoreError> {
    let plan = Plan {
        updated_at: unit.now,
        ..plan
    };
    store::plan::update(unit.database, &plan)?;
    record_event(unit, plan)
}

fn record_event(unit: &mut Unit<'_>, plan: Plan) -> Result<(), StoreError> {
    let organisation = plan.org_id;
    let plan = with_link(unit, organisation, plan)?;
    event::record(unit, organisation, EventAction::Updated, &plan)
}

pub(crate) fn get_plan(unit: &mut Unit<'_>, call: Received<GetPlan>) -> Outcome<Plan> {
    let organisation = call.caller.organisation;
    let plan = store::plan::LISTING
        .find(unit.database, organisation, call.path.plan_id)?
        .ok_or_else(|| Refusal::not_found("plan"))?;
    Ok(with_link(unit, organisation, plan)?)
}

pub(crate) fn list_plans(unit: &mut Unit<'_>, call: Received<ListPlans>) -> Outcome<Page<Plan>> {
    let organisation = call.caller.organisation;
    let mut page = store::plan::LISTING.page(unit.database, organisation, &call.query)?;
    for plan in std::mem::take(&mut page.items) {
        page.items.push(with_link(unit, organisation, plan)?);
    }
    Ok(page)
}

/// Changes a plan's stock, with its event. False if sold out; an unlimited plan never is.
pub(crate) fn change_stock(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: PlanId,
    stock: Stock,
) -> Result<bool, StoreError> {
    let changed = store::plan::change_stock(unit.database, organisation, id, stock, unit.now)?;
    let Some(plan) = store::plan::LISTING.find(unit.database, organisation, id)? else {
        return Ok(false);
    };
    let has_limit = plan.available_quantity.is_some();
    if changed {
        if let Some(link) = store::paylink::of_plan(unit.database, organisation, id)? {
            store::paylink::set_state(unit.database, organisation, &link, &plan, unit.now)?;
        }
        record_event(unit, plan)?;
    }
    Ok(changed || !has_limit)
}
