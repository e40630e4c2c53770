//! Sub-merchants of a partner, and an organisation's own partner view.

mod list_partner_balances;
mod list_sub_merchants;

pub(crate) use list_partner_balances::list_partner_balances;
pub(crate) use list_sub_merchants::list_sub_merchants;

use settlekit_core::account::Account;
use settlekit_core::partner::GetPartnerAccount;

use crate::resources::account;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn get_partner_account(
    unit: &mut Unit<'_>,
    call: Received<GetPartnerAccount>,
) -> Outcome<Account> {
    let account = account::one(unit, call.caller.organisation, &call.path.account_ref)?;
    Ok(account::with_family(unit, account)?)
}
