//! The end of a conversion's order: the next run may place another.

use settlekit_core::automation::AutomationReason;
use settlekit_core::value::{AutomationId, OrganisationId, QuoteId};

use super::pause;
use crate::store;
use crate::store::automation::Rule;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Clears the order, so that the next run may place another.
fn end_order(
    unit: &mut Unit<'_>,
    (organisation, id): (OrganisationId, AutomationId),
) -> Result<(), StoreError> {
    let Some((automation, rule)) = store::automation::lock(unit.database, organisation, id)? else {
        return Ok(());
    };
    let rule = Rule {
        order: None,
        ..rule
    };
    let due_at = automation.enabled.then_some(unit.now);
    store::automation::update(
        unit.database,
        organisation,
        &automation,
        &rule,
        due_at,
        None,
    )
}

/// Notes how the order of a quote ended, if an automation made it.
pub(crate) fn conversion_ended(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    quote: QuoteId,
    is_settled: bool,
) -> Result<(), StoreError> {
    let Some(quote) = store::quote::LISTING.find(unit.database, organisation, quote)? else {
        return Ok(());
    };
    let id = pause::automation_of(quote.properties.as_ref());
    let Some((id, account)) = id.zip(quote.account_id) else {
        return Ok(());
    };
    end_order(unit, (organisation, id))?;
    match is_settled {
        true => pause::succeeded(unit, (organisation, id), account),
        false => pause::failed(
            unit,
            (organisation, id),
            account,
            AutomationReason::VenueRefused,
        ),
    }
}
