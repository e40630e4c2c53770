//! Subscriptions sold by a recurring plan's paylink, created with the first confirmed payment.
//!
//! An unpaid checkout creates none.

use serde_json::Value;
use settlekit_core::paylink::Source;
use settlekit_core::payment::Payment;
use settlekit_core::plan::{Plan, PlanType};
use settlekit_core::subscription::SubscriptionStatus;

use super::create_subscription::{NewSubscription, create};
use super::status::stored;
use super::{period, renewal};
use crate::resources::invoice;
use crate::unit::{Outcome, Unit};

/// Whether a plan has a trial, so that nothing is due at the start.
pub(crate) fn starts_with_trial(unit: &Unit<'_>, plan: &Plan) -> bool {
    plan.r#type == PlanType::Recurring
        && period::trial_end(unit.now, plan.trial_period.as_deref()).is_some()
}

/// Creates the subscription of a payment that is about to be confirmed, if its plan is recurring. Returns the payment with the
/// subscription's id in its properties, and issues the invoice of the paid period.
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
