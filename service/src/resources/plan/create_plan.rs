//! Creates a plan, alone or with its paylink.

use settlekit_core::event::EventAction;
use settlekit_core::paylink::{Paylink, Source};
use settlekit_core::plan::{
    BillingScheme, CreatePlan, CreatePlanBody, Plan, PlanType, RecurringInterval,
    RecurringUsageType,
};
use settlekit_core::value::{OrganisationId, PlanId};

use crate::resources::{chain, event};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::caller::{Caller, Via};
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn create_plan(unit: &mut Unit<'_>, call: Received<CreatePlan>) -> Outcome<Plan> {
    let body = call.body;
    unit.check_expiry(body.expires_at)?;
    chain::check_priced(unit, Some("currency"), &body.currency)?;
    let plan = create(unit, &Author::of(&call.caller), body)?;
    Ok(record_created(unit, plan, None)?)
}

/// The source of records created by a caller.
pub(crate) fn source_of(caller: &Caller) -> Source {
    match caller.via {
        Via::Key { .. } => Source::Api,
        Via::Session { .. } => Source::Dashboard,
    }
}

/// The author of a record: a caller, or the service.
pub(crate) struct Author {
    pub(crate) organisation: OrganisationId,
    /// The key or user; `None` for the service.
    pub(crate) by: Option<String>,
    pub(crate) source: Source,
}

impl Author {
    pub(crate) fn of(caller: &Caller) -> Self {
        Self {
            organisation: caller.organisation,
            by: Some(caller.name()),
            source: source_of(caller),
        }
    }
}

/// Creates a plan from a valid request. [`record_created`] records its event, after the paylink exists if there is one.
pub(crate) fn create(unit: &mut Unit<'_>, author: &Author, body: CreatePlanBody) -> Outcome<Plan> {
    let recurring = body.r#type == Some(PlanType::Recurring);
    let plan = Plan {
        id: PlanId::new(unit.now, unit.id_bytes()),
        name: body.name,
        reference: body.reference,
        description: body.description,
        image_url: body.image_url,
        org_id: author.organisation,
        currency: body.currency,
        price: body.price,
        held_quantity: body.available_quantity.map(|_| 0),
        available_quantity: body.available_quantity,
        billing_scheme: BillingScheme::FlatFee,
        r#type: if recurring {
            PlanType::Recurring
        } else {
            PlanType::OneTime
        },
        recurring_interval: body
            .recurring_interval
            .filter(|_| recurring)
            .unwrap_or(RecurringInterval::Unknown),
        recurring_interval_count: if recurring {
            Some(body.recurring_interval_count.unwrap_or(1))
        } else {
            body.recurring_interval_count
        },
        recurring_usage_type: if recurring {
            RecurringUsageType::Licensed
        } else {
            RecurringUsageType::Unknown
        },
        trial_period: body.trial_period,
        enabled: true,
        expires_at: body.expires_at,
        payment_link: None,
        metadata: body.metadata,
        properties: None,
        source: Some(author.source.clone()),
        created_at: unit.now,
        created_by: author.by.clone(),
        updated_at: unit.now,
        deleted_at: None,
    };
    Ok(store::plan::insert(unit.database, plan)?)
}

/// Records the event of a new plan, with its paylink.
pub(crate) fn record_created(
    unit: &mut Unit<'_>,
    plan: Plan,
    link: Option<&Paylink>,
) -> Result<Plan, StoreError> {
    let plan = Plan {
        payment_link: link.cloned().map(Box::new),
        ..plan
    };
    event::record(unit, plan.org_id, EventAction::Created, &plan)?;
    Ok(plan)
}
