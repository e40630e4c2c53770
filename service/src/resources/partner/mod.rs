//! Sub-merchants of a partner, and an organisation's own partner view.

use settlekit_core::account::Account;
use settlekit_core::page::Page;
use settlekit_core::partner::{
    Balance, Balances, GetPartnerAccount, ListPartnerBalances, ListSubMerchants, SubMerchant,
};
use settlekit_core::value::Amount;

use crate::money::prices;
use crate::resources::account;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::unit::received::Received;
use crate::unit::refusal::{Outcome, Refusal};

pub(crate) fn get_partner_account(
    unit: &mut Unit<'_>,
    call: Received<GetPartnerAccount>,
) -> Outcome<Account> {
    let key = &call.path.account_ref;
    let found = account::one(unit, call.caller.organisation, key, None)?;
    let account = found.ok_or_else(|| Refusal::not_found("account"))?;
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
    let organisation = call.caller.organisation;
    let accounts = account::with_sub_accounts(unit, organisation, &call.path.account_ref)?;
    let damaged = || StoreError::Damaged("an account is of an unknown chain or asset".into());
    let mut balances = Vec::new();
    for account in accounts {
        // A virtual account has no balance of its own: its chain accounts have.
        let Some(chain) = account.chain.clone() else {
            continue;
        };
        let stored = store::ledger::balances(unit.database, organisation, Some(account.id))?;
        // Every currency of the account is listed, even with no balance.
        let mut currencies = account.currencies.clone();
        currencies.extend(stored.iter().map(|balance| balance.currency.clone()));
        currencies.sort();
        currencies.dedup();
        for currency in currencies {
            let asset =
                store::chain::asset(unit.database, chain.id, &currency)?.ok_or_else(damaged)?;
            let held = stored.iter().find(|balance| balance.currency == currency);
            let available = held.map_or(0, |balance| balance.posted - balance.reserved);
            balances.push(Balance {
                account_id: account.id,
                token_address: asset.token_address,
                chain: chain.clone(),
                amount: Amount::from_units(available, asset.scale).map_err(|_| damaged())?,
                amount_usd: prices::connected(unit)
                    .usd_of(available, asset.scale, &currency)
                    .and_then(prices::usd_shown),
                currency,
            });
        }
    }
    Ok(Balances { balances })
}
