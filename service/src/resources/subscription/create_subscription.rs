//! Creates a subscription: customer, plans, first period.

use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::paylink::Source;
use settlekit_core::plan::{Plan, PlanType};
use settlekit_core::subscription::{
    CreateSubscription, Subscription, SubscriptionItem, SubscriptionPaymentMethod,
    SubscriptionStatus,
};
use settlekit_core::validate::Report;
use settlekit_core::value::{
    CustomerId, Object, OrganisationId, PlanId, SubscriptionId, SubscriptionItemId, Timestamp,
};

use super::price::total_price;
use super::status::{record_event, stored};
use super::{period, renewal};
use crate::resources::plan::source_of;
use crate::resources::{chain, plan};
use crate::store;
use crate::store::subscription::Billing;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn create_subscription(
    unit: &mut Unit<'_>,
    call: Received<CreateSubscription>,
) -> Outcome<Subscription> {
    let organisation = call.caller.organisation;
    let body = call.body;
    let customer = store::customer::RECORDS
        .find(unit.database, organisation, body.customer_id)?
        .filter(|customer| customer.deleted_at.is_none())
        .ok_or_else(|| Refusal::reference_unknown("customer_id", "is not a known customer"))?;
    if body.start_at.is_some_and(|at| unit.is_before_today(at)) {
        return Err(Refusal::field(
            "start_at",
            Reason::NotInFuture,
            "must not be before today",
        ));
    }
    let plans = plans(unit, organisation, &body.plan_ids)?;
    if let Some(plan) = plans.first() {
        chain::check_priced(unit, Some("plan_ids"), &plan.currency)?;
    }
    for plan in &plans {
        if !plan::change_stock(unit, organisation, plan.id, plan::Stock::Sell)? {
            return Err(Refusal::reference_unknown(
                "plan_ids",
                "contains a plan that is sold out",
            ));
        }
    }
    let new = NewSubscription {
        organisation,
        customer: customer.id,
        plans,
        start_at: body.start_at.unwrap_or(unit.now).max(unit.now),
        reference: body.reference,
        metadata: body.metadata,
        source: source_of(&call.caller),
    };
    let (subscription, billing) = create(unit, new)?;
    if subscription.status == SubscriptionStatus::Pending {
        return renewal::activate(unit, stored(subscription), billing);
    }
    Ok(subscription)
}

pub(super) struct NewSubscription {
    pub(super) organisation: OrganisationId,
    pub(super) customer: CustomerId,
    /// At least one; all recurring, with the same currency and period.
    pub(super) plans: Vec<Plan>,
    pub(super) start_at: Timestamp,
    pub(super) reference: Option<String>,
    pub(super) metadata: Option<Object>,
    pub(super) source: Source,
}

/// Creates a subscription with its event. If it starts now and is not free it is Pending, and the caller advances it.
pub(super) fn create(
    unit: &mut Unit<'_>,
    new: NewSubscription,
) -> Outcome<(Subscription, Billing)> {
    let NewSubscription {
        organisation,
        plans,
        start_at,
        ..
    } = new;
    let first = plans
        .first()
        .ok_or_else(|| Refusal::field("plan_ids", Reason::Empty, "must list at least one plan"))?;
    // The longest trial of the plans: no plan is billed during its own trial.
    let trial_end = plans
        .iter()
        .filter_map(|plan| period::trial_end(start_at, plan.trial_period.as_deref()))
        .max();
    let billing = Billing {
        anchor: trial_end.unwrap_or(start_at),
        interval: first.recurring_interval.clone(),
        count: first
            .recurring_interval_count
            .and_then(|count| u32::try_from(count).ok())
            .unwrap_or(1),
        begun: 0,
        trial_end,
        price: total_price(&plans).ok_or_else(Refusal::amount_too_large)?,
    };
    let id = SubscriptionId::new(unit.now, unit.id_bytes());
    let mut items = Vec::with_capacity(plans.len());
    for plan in &plans {
        items.push(SubscriptionItem {
            id: SubscriptionItemId::new(unit.now, unit.id_bytes()),
            subscription_id: id,
            plan_id: plan.id,
            plan: None,
            properties: None,
            v1: None,
            created_at: unit.now,
            updated_at: unit.now,
        });
    }
    let begins = start_at <= unit.now;
    let status = match (begins, trial_end) {
        (false, _) => SubscriptionStatus::Future,
        (true, Some(_)) => SubscriptionStatus::InTrial,
        (true, None) => SubscriptionStatus::Pending,
    };
    let subscription = Subscription {
        id,
        reference: new.reference,
        customer_id: new.customer,
        customer: None,
        currency: first.currency.clone(),
        status,
        payment_method: SubscriptionPaymentMethod::Invoice,
        cancel_at_period_end: false,
        is_overdue: false,
        start_at,
        period_end: None,
        trial_ends_at: None,
        org_id: organisation,
        source: Some(new.source),
        metadata: new.metadata,
        properties: None,
        items,
        v1: None,
        created_at: unit.now,
        updated_at: unit.now,
    };
    let due_at = renewal::due_at(&subscription, &billing);
    let subscription = store::subscription::insert(unit.database, subscription, &billing, due_at)?;
    Ok((
        record_event(unit, subscription, EventAction::Created)?,
        billing,
    ))
}

/// The plans: each on sale and recurring, with the same currency and period, and a total price that an invoice can show.
fn plans(unit: &mut Unit<'_>, organisation: OrganisationId, ids: &[PlanId]) -> Outcome<Vec<Plan>> {
    let mut report = Report::default();
    let mut plans: Vec<Plan> = Vec::with_capacity(ids.len());
    for (place, id) in ids.iter().enumerate() {
        let field = format!("plan_ids[{place}]");
        let Some(plan) = plan::on_sale(unit, organisation, *id)? else {
            report.add_error(&field, Reason::ReferenceUnknown, "is not a plan on sale");
            continue;
        };
        if plan.r#type != PlanType::Recurring {
            report.add_error(&field, Reason::NotSupported, "is not a recurring plan");
        } else if let Some(first) = plans.first() {
            let period = |plan: &Plan| {
                (
                    plan.recurring_interval.clone(),
                    plan.recurring_interval_count,
                )
            };
            if first.currency != plan.currency || period(first) != period(&plan) {
                report.add_error(
                    &field,
                    Reason::NotSupported,
                    "must have the currency and period of the first",
                );
            }
        }
        plans.push(plan);
    }
    if report.is_clean() && total_price(&plans).is_none() {
        report.add_error(
            "plan_ids",
            Reason::AmountTooLarge,
            "have a total that is too large to represent exactly",
        );
    }
    Refusal::reported(report)?;
    Ok(plans)
}
