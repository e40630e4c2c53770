//! Issues an invoice manually, for the current period of a subscription or a given date.

use settlekit_core::error::Reason;
use settlekit_core::invoice::{CreateInvoice, Invoice};
use settlekit_core::subscription::SubscriptionStatus;

use super::issue;
use crate::resources::{chain, subscription};
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// Idempotent by due date: a second call returns the first invoice.
pub(crate) fn create_invoice(
    unit: &mut Unit<'_>,
    call: Received<CreateInvoice>,
) -> Outcome<Invoice> {
    let organisation = call.caller.organisation;
    let (found, billing) = subscription::lock(unit, organisation, call.path.subscription_id)?;
    let body = call.body;
    let due_at = body
        .due_date
        .or_else(|| subscription::period_end(&billing))
        .unwrap_or(unit.now);
    if let Some(invoice) = store::invoice::due_on(unit.database, organisation, found.id, due_at)? {
        return Ok(invoice);
    }
    if matches!(
        found.status,
        SubscriptionStatus::Canceled | SubscriptionStatus::Expired
    ) {
        return Err(Refusal::state_forbids(format!(
            "a {} subscription is no longer billed",
            found.status
        )));
    }
    if body.due_date.is_none() && due_at < unit.now && found.status == SubscriptionStatus::Paused {
        return Err(Refusal::field(
            "due_date",
            Reason::Required,
            "is required: the subscription has no current period",
        ));
    }
    if body.due_date.is_some_and(|at| unit.is_before_today(at)) {
        return Err(Refusal::field(
            "due_date",
            Reason::NotInFuture,
            "must not be before today",
        ));
    }
    // Automatic billing does not check this: an unbilled period would be lost, and its paylink can be paid later.
    chain::check_priced(unit, None, &found.currency)?;
    let found = subscription::whole(unit, found)?;
    issue(unit, &found, due_at, body.title, body.properties)
}
