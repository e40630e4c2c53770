//! What a partner reads of its sub-merchants, and any organisation of itself.

use settlekit_core::account::Account;
use settlekit_core::page::Page;
use settlekit_core::partner::{
    Balance, Balances, GetPartnerAccount, ListPartnerBalances, ListSubMerchants, SubMerchant,
};
use settlekit_core::value::{AccountReference, Amount, OrganisationId};

use crate::refusal::{Outcome, Refusal};
use crate::router::Received;
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::{account, store, venue};

fn bundled(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    reference: &AccountReference,
) -> Outcome<Vec<Account>> {
    let accounts = store::account::by_reference(unit.database, organisation, reference)?;
    if accounts.is_empty() {
        Err(Refusal::not_found("account"))
    } else {
        Ok(accounts)
    }
}

pub(crate) fn get_partner_account(
    unit: &mut Unit<'_>,
    call: Received<GetPartnerAccount>,
) -> Outcome<Account> {
    let mut accounts = bundled(unit, call.caller.organisation, &call.path.account_ref)?;
    Ok(account::with_family(unit, accounts.swap_remove(0))?)
}

pub(crate) fn list_sub_merchants(
    unit: &mut Unit<'_>,
    call: Received<ListSubMerchants>,
) -> Outcome<Page<SubMerchant>> {
    Ok(store::organisation::list_sub_merchants(
        unit.database,
        call.caller.organisation,
        &call.query,
    )?)
}

pub(crate) fn list_partner_balances(
    unit: &mut Unit<'_>,
    call: Received<ListPartnerBalances>,
) -> Outcome<Balances> {
    let organisation = call.caller.organisation;
    let accounts = bundled(unit, organisation, &call.path.account_ref)?;
    let damaged = || StoreError::Damaged("an account is of an unknown chain or asset".into());
    let mut balances = Vec::new();
    for account in accounts {
        // A virtual account holds nothing itself: what it has lies on the chains below it.
        let Some(chain) = account.chain.clone() else {
            continue;
        };
        let stored = store::ledger::balances(unit.database, organisation, Some(account.id))?;
        // Every currency the account takes is listed, held or not.
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
                amount_usd: venue::usd_of(available, asset.scale, &currency)
                    .and_then(venue::usd_shown),
                currency,
            });
        }
    }
    Ok(Balances { balances })
}
