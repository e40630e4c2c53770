//! Sub-merchants of a partner, and an organisation's own partner view.

mod list_partner_balances;

pub(crate) use list_partner_balances::list_partner_balances;

use settlekit_core::account::Account;
use settlekit_core::page::Page;
use settlekit_core::partner::{GetPartnerAccount, ListSubMerchants, SubMerchant};

use crate::resources::account;
use crate::store;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn get_partner_account(
    unit: &mut Unit<'_>,
    call: Received<GetPartnerAccount>,
) -> Outcome<Account> {
    let account = account::one(unit, call.caller.organisation, &call.path.account_ref)?;
    Ok(account::with_family(unit, account)?)
}

pub(crate) fn list_sub_merchants(
    unit: &mut Unit<'_>,
    call: Received<ListSubMerchants>,
) -> Outcome<Page<SubMerchant>> {
    let organisation = call.caller.organisation;
    Ok(store::organisation::SUB_MERCHANTS.page(unit.database, organisation, &call.query)?)
}
