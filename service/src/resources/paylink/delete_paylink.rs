//! Deletes a paylink; its payments stay.

use settlekit_core::paylink::{DeletePaylink, Paylink};

use super::close;
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn delete_paylink(
    unit: &mut Unit<'_>,
    call: Received<DeletePaylink>,
) -> Outcome<String> {
    let organisation = call.caller.organisation;
    let before = store::paylink::LISTING.find(unit.database, organisation, call.path.paylink_id)?;
    let before = before
        .filter(|paylink| paylink.deleted_at.is_none())
        .ok_or_else(|| Refusal::not_found("paylink"))?;
    let deleted = Paylink {
        deleted_at: Some(unit.now),
        updated_by: Some(call.caller.name()),
        ..before
    };
    let paylink = close(unit, organisation, deleted)?;
    Ok(format!("{} was deleted", paylink.id))
}
