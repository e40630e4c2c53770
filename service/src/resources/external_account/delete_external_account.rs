//! Deletes a stored destination that nothing uses.

use settlekit_core::event::EventAction;
use settlekit_core::external_account::{DeleteExternalAccount, ExternalAccount};

use crate::resources::event;
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// A removed destination stays listed as disabled, so that pages do not shift.
pub(crate) fn delete_external_account(
    unit: &mut Unit<'_>,
    call: Received<DeleteExternalAccount>,
) -> Outcome<ExternalAccount> {
    let organisation = call.caller.organisation;
    let before = store::external_account::LISTING
        .lock(unit.database, organisation, call.path.external_account_id)?
        .filter(|account| account.enabled)
        .ok_or_else(|| Refusal::not_found("external account"))?;
    let account = ExternalAccount {
        enabled: false,
        ..before
    };
    store::external_account::remove(unit.database, organisation, &account, unit.now)?;
    event::record(unit, organisation, EventAction::Disabled, &account)?;
    Ok(account)
}
