//! The price of a subscription's plans.

use settlekit_core::plan::Plan;
use settlekit_core::subscription::Subscription;
use settlekit_core::value::Amount;

use crate::store::sql::StoreError;

/// The price of one period.
pub(crate) fn price(subscription: &Subscription) -> Result<Amount, StoreError> {
    let plans: Option<Vec<&Plan>> = subscription
        .items
        .iter()
        .map(|item| item.plan.as_ref())
        .collect();
    let plans = plans
        .filter(|plans| !plans.is_empty())
        .ok_or_else(damaged)?;
    total_price(plans).ok_or_else(|| StoreError::Damaged("a subscription costs too much".into()))
}

/// The total price of plans; `None` on overflow.
pub(super) fn total_price<'a>(plans: impl IntoIterator<Item = &'a Plan>) -> Option<Amount> {
    let mut prices = plans.into_iter().map(|plan| plan.price);
    prices
        .try_fold(Amount::ZERO, |sum, price| sum.plus(price))
        .ok()
}

/// A stored subscription always has an item.
pub(super) fn damaged() -> StoreError {
    StoreError::Damaged("a subscription has no plan".into())
}
