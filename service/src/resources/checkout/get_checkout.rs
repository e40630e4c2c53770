//! A paylink as its payer sees it.

use settlekit_core::call::Call;
use settlekit_core::checkout::{Checkout, Collect, GetCheckout, Merchant};
use settlekit_core::organisation::CheckoutStyle;
use settlekit_core::plan::PlanType;

use super::offer;
use crate::resources::subscription;
use crate::store;
use crate::unit::{Outcome, Refusal, Unit};

pub(crate) fn get_checkout(unit: &mut Unit<'_>, call: Call<GetCheckout>) -> Outcome<Checkout> {
    let offer = offer(unit, call.path.paylink_id)?;
    let organisation = store::organisation::find(unit.database, offer.organisation)?;
    let organisation = organisation.ok_or_else(|| Refusal::not_found("paylink"))?;
    let options = offer
        .options(unit)?
        .into_iter()
        .map(|(option, _)| option)
        .collect();
    let state = offer.state(unit)?;
    unit.visited = Some((offer.organisation, offer.paylink.id));
    let recurring = offer.plan.r#type == PlanType::Recurring;
    Ok(Checkout {
        state,
        recurring_interval: Some(offer.plan.recurring_interval.clone()).filter(|_| recurring),
        recurring_interval_count: offer.plan.recurring_interval_count.filter(|_| recurring),
        trial_period: offer
            .plan
            .trial_period
            .clone()
            .filter(|_| subscription::starts_with_trial(unit, &offer.plan)),
        paylink_id: offer.paylink.id,
        name: offer.plan.name,
        description: offer.plan.description,
        image_url: offer.plan.image_url,
        amount: offer.plan.price,
        currency: offer.plan.currency,
        style: organisation
            .properties
            .and_then(|properties| properties.checkout_style)
            .map(CheckoutStyle::resolve),
        merchant: Merchant {
            name: organisation.name,
            logo_url: organisation.logo_url,
        },
        options,
        collect: Collect {
            customer_ident: offer.paylink.customer_ident_collection,
            shipping_address: offer.paylink.shipping_address_collection,
            tax_ident: offer.paylink.tax_ident_collection,
        },
        after_completion: offer.paylink.after_completion,
        expires_at: offer.plan.expires_at,
        sandbox: unit.options().mode.is_sandbox(),
    })
}
