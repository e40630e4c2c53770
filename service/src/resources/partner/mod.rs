//! Sub-merchants of a partner, and an organisation's own partner view.

use settlekit_core::account::Account;
use settlekit_core::page::Page;
use settlekit_core::partner::{
    Balance, Balances, GetPartnerAccount, ListPartnerBalances, ListSubMerchants, SubMerchant,
};

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

pub(crate) fn list_partner_balances(
    unit: &mut Unit<'_>,
    call: Received<ListPartnerBalances>,
) -> Outcome<Balances> {
    let balances = account::balances_of(unit, call.caller.organisation, &call.path.account_ref)?;
    let balances = balances.into_iter().map(|balance| Balance {
        account_id: balance.shown.account_id,
        currency: balance.shown.currency,
        token_address: balance.token_address,
        chain: balance.shown.chain,
        amount: balance.amount,
        amount_usd: balance.shown.amount_usd,
    });
    Ok(Balances {
        balances: balances.collect(),
    })
}
