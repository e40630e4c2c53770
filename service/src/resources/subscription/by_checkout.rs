//! What a recurring plan's link sells: a subscription, which is there when the first payment is confirmed.
//!
//! Whoever opens a link and never pays has subscribed to nothing.

use serde_json::Value;
use settlekit_core::paylink::Source;
use settlekit_core::payment::Payment;
use settlekit_core::plan::{Plan, PlanType};
use settlekit_core::subscription::SubscriptionStatus;

use super::create_subscription::{NewSubscription, create};
use super::{period, renewal, stored};
use crate::resources::invoice;
use crate::unit::Unit;
use crate::unit::refusal::Outcome;

/// Whether a plan begins with a trial, so that nothing is due when somebody subscribes.
pub(crate) fn begins_free(unit: &Unit<'_>, plan: &Plan) -> bool {
    plan.r#type == PlanType::Recurring
        && period::trial_end(unit.now, plan.trial_period.as_deref()).is_some()
}

/// Subscribes whoever made a payment that is about to be confirmed, if it was for a recurring plan: the payment with the
/// subscription's id in its properties, and the invoice over the period that it pays for.
pub(crate) fn subscribe(unit: &mut Unit<'_>, payment: Payment) -> Outcome<Payment> {
    let sold = payment
        .payment_link
        .as_ref()
        .and_then(|link| Some((link.id, link.plan.clone()?)))
        .filter(|(_, plan)| plan.r#type == PlanType::Recurring);
    let (Some((link, plan)), Some(customer)) = (sold, payment.customer_id) else {
        return Ok(payment);
    };
    let new = NewSubscription {
        organisation: payment.org_id,
        customer,
        plans: vec![plan],
        start_at: unit.now,
        reference: None,
        metadata: None,
        source: Source::Checkout,
    };
    let (subscription, billing) = create(unit, new)?;
    let mut properties = payment.properties.clone().unwrap_or_default();
    properties.insert(
        "subscription_id".to_owned(),
        Value::String(subscription.id.to_string()),
    );
    let invoice_id = if subscription.status == SubscriptionStatus::Pending {
        let (_, subscription) = renewal::begin(unit, stored(subscription), billing)?;
        Some(invoice::issue_paid(unit, &subscription, link)?.id)
    } else {
        None
    };
    Ok(Payment {
        invoice_id,
        properties: Some(properties),
        ..payment
    })
}
