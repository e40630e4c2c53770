//! Payout destinations. The identifying data of a bank account is sealed; only hints are shown.

mod create_external_account;
mod delete_external_account;

pub(crate) use create_external_account::create_external_account;
pub(crate) use delete_external_account::delete_external_account;

use settlekit_core::external_account::{ExternalAccount, GetExternalAccount, ListExternalAccounts};
use settlekit_core::page::Page;

use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn get_external_account(
    unit: &mut Unit<'_>,
    call: Received<GetExternalAccount>,
) -> Outcome<ExternalAccount> {
    let (organisation, id) = (call.caller.organisation, call.path.external_account_id);
    let found = store::external_account::LISTING.find(unit.database, organisation, id)?;
    found.ok_or_else(|| Refusal::not_found("external account"))
}

pub(crate) fn list_external_accounts(
    unit: &mut Unit<'_>,
    call: Received<ListExternalAccounts>,
) -> Outcome<Page<ExternalAccount>> {
    let organisation = call.caller.organisation;
    Ok(store::external_account::LISTING.page(unit.database, organisation, &call.query)?)
}
