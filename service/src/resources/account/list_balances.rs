//! The balances of an account and its sub-accounts.

use settlekit_core::account::{AccountBalance, ListBalances};
use settlekit_core::value::{AccountKey, Amount, Currency, OrganisationId, Timestamp};

use super::with_sub_accounts;
use crate::money::prices;
use crate::money::test_network::is_test_network;
use crate::money::worth::last_price;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn list_balances(
    unit: &mut Unit<'_>,
    call: Received<ListBalances>,
) -> Outcome<Vec<AccountBalance>> {
    let balances = balances_of(unit, call.caller.organisation, &call.path.account)?;
    Ok(balances.into_iter().map(|balance| balance.shown).collect())
}

/// The balance of an account in one currency, for its owner and for a partner.
pub(crate) struct CurrencyBalance {
    pub(crate) shown: AccountBalance,
    /// Posted minus reserved, also on a wallet that the service does not hold.
    pub(crate) amount: Amount,
    pub(crate) token_address: Option<String>,
}

/// The balances of the accounts of a key and their sub-accounts.
pub(crate) fn balances_of(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
) -> Outcome<Vec<CurrencyBalance>> {
    let damaged = || StoreError::Damaged("an account is of an unknown chain or asset".into());
    let mut balances = Vec::new();
    for account in with_sub_accounts(unit, organisation, key)? {
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
            let asset =
                store::chain::asset(unit.database, chain.id, &currency)?.ok_or_else(damaged)?;
            let (posted, reserved) = held
                .iter()
                .find(|balance| balance.currency == currency)
                .map_or((0, 0), |balance| (balance.posted, balance.reserved));
            let shown = |units| Amount::from_units(units, asset.scale).map_err(|_| damaged());
            let amount = shown(posted - reserved)?;
            let value = match is_test_network(unit, chain.id)? {
                true => BalanceValue::default(),
                false => balance_value(unit, &currency, asset.scale, posted - reserved)?,
            };
            let (last_usd, last_at) = value.last.unzip();
            balances.push(CurrencyBalance {
                shown: AccountBalance {
                    account_id: account.id,
                    chain: chain.clone(),
                    posted: shown(posted)?,
                    reserved: shown(reserved)?,
                    // The service cannot send from the merchant's own wallet.
                    available: if is_held { amount } else { Amount::ZERO },
                    amount_usd: value.now.and_then(prices::usd_shown),
                    last_amount_usd: last_usd.and_then(prices::usd_shown),
                    last_amount_at: last_at,
                    currency,
                },
                amount,
                token_address: asset.token_address,
            });
        }
    }
    Ok(balances)
}

/// The value of a balance, in millionths of a US dollar.
#[derive(Default)]
struct BalanceValue {
    now: Option<i128>,
    /// At the last price, and its time, while there is none now.
    last: Option<(i128, Timestamp)>,
}

fn balance_value(
    unit: &mut Unit<'_>,
    currency: &Currency,
    scale: u32,
    units: i128,
) -> Result<BalanceValue, StoreError> {
    let prices = prices::of(unit, [currency])?;
    let last = last_price(unit, &prices, currency)?;
    Ok(BalanceValue {
        now: prices.usd_of(units, scale, currency),
        last: last.and_then(|(price, at)| Some((prices::usd_at(price, units, scale)?, at))),
    })
}
