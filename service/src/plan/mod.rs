//! Billing plans as listed.

use settlekit_core::page::Page;
use settlekit_core::plan::{ListPlans, Plan};

use crate::refusal::Outcome;
use crate::router::Received;
use crate::store;
use crate::unit::Unit;

pub(crate) fn list_plans(unit: &mut Unit<'_>, call: Received<ListPlans>) -> Outcome<Page<Plan>> {
    let organisation = call.caller.organisation;
    let mut page = store::plan::list(unit.database, organisation, &call.query)?;
    for plan in &mut page.items {
        plan.payment_link =
            store::paylink::of_plan(unit.database, organisation, plan.id)?.map(Box::new);
    }
    Ok(page)
}
