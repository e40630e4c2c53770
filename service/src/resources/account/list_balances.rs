//! The balances of an account and its sub-accounts.

use settlekit_core::account::{AccountBalance, ListBalances};
use settlekit_core::value::Amount;

use super::with_sub_accounts;
use crate::money::prices;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::unit::received::Received;
use crate::unit::refusal::Outcome;

pub(crate) fn list_balances(
    unit: &mut Unit<'_>,
    call: Received<ListBalances>,
) -> Outcome<Vec<AccountBalance>> {
    let organisation = call.caller.organisation;
    let accounts = with_sub_accounts(unit, organisation, &call.path.account)?;
    let damaged = || StoreError::Damaged("an account is of an unknown chain or asset".into());
    let mut balances = Vec::new();
    for account in accounts {
        // A virtual account has no balance of its own: its chain accounts have.
        let is_held = account.is_held();
        let Some(chain) = account.chain else {
            continue;
        };
        let held = store::ledger::balances(unit.database, organisation, Some(account.id))?;
        // Every currency of the account is listed, even with no balance.
        let mut currencies = account.currencies;
        currencies.extend(held.iter().map(|balance| balance.currency.clone()));
        currencies.sort();
        currencies.dedup();
        for currency in currencies {
            let scale = store::chain::asset(unit.database, chain.id, &currency)?
                .ok_or_else(damaged)?
                .scale;
            let (posted, reserved) = held
                .iter()
                .find(|balance| balance.currency == currency)
                .map_or((0, 0), |balance| (balance.posted, balance.reserved));
            let amount = |units| Amount::from_units(units, scale).map_err(|_| damaged());
            balances.push(AccountBalance {
                account_id: account.id,
                chain: chain.clone(),
                posted: amount(posted)?,
                reserved: amount(reserved)?,
                // The service cannot send from the merchant's own wallet.
                available: amount(if is_held { posted - reserved } else { 0 })?,
                amount_usd: prices::connected(unit)
                    .usd_of(posted - reserved, scale, &currency)
                    .and_then(prices::usd_shown),
                currency,
            });
        }
    }
    Ok(balances)
}
