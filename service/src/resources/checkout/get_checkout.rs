//! A paylink as its payer sees it.

use settlekit_core::call::Call;
use settlekit_core::checkout::{ApproximateAmount, Checkout, Collect, GetCheckout, Merchant};
use settlekit_core::organisation::CheckoutStyle;
use settlekit_core::plan::{Plan, PlanType};
use settlekit_core::value::{Amount, Currency};

use super::offer;
use crate::money::prices;
use crate::money::rounding::Rounding;
use crate::resources::subscription;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// Decimal places of an approximate price.
const SHOWN_PLACES: u32 = 2;

/// Money, and the coin whose price stands in for it where no source quotes the money itself.
const STAND_INS: [(&str, &str); 1] = [("EUR", "EURC")];

/// The price in another currency, to be read beside it; `None` without a price, or if it rounds to zero.
fn approximate(
    unit: &mut Unit<'_>,
    plan: &Plan,
    currency: &Currency,
) -> Result<Option<ApproximateAmount>, StoreError> {
    let stand_in = STAND_INS
        .iter()
        .find(|(money, _)| *money == currency.as_str())
        .and_then(|(_, coin)| coin.parse::<Currency>().ok());
    for quoted in [Some(currency.clone()), stand_in].into_iter().flatten() {
        let prices = prices::between(unit, &plan.currency, &quoted)?;
        let converted = prices.convert(
            plan.price,
            &plan.currency,
            &quoted,
            SHOWN_PLACES,
            Rounding::HalfEven,
        );
        if let Some(Ok(units @ 1..)) = converted
            && let Ok(amount) = Amount::from_units_unshortened(units, SHOWN_PLACES)
        {
            let currency = currency.clone();
            return Ok(Some(ApproximateAmount { currency, amount }));
        }
    }
    Ok(None)
}

/// The price in each of the payer's currencies that has one, once each; `None` if there is nothing to show.
fn amounts_in(
    unit: &mut Unit<'_>,
    plan: &Plan,
    currencies: &[Currency],
) -> Result<Option<Vec<ApproximateAmount>>, StoreError> {
    let mut amounts: Vec<ApproximateAmount> = Vec::new();
    for currency in currencies.iter().filter(|other| **other != plan.currency) {
        if amounts.iter().all(|known| known.currency != *currency) {
            amounts.extend(approximate(unit, plan, currency)?);
        }
    }
    Ok(Some(amounts).filter(|amounts| !amounts.is_empty()))
}

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
    let currencies = call.query.currency.unwrap_or_default();
    let amounts_in = amounts_in(unit, &offer.plan, &currencies)?;
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
        amounts_in,
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
