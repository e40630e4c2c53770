//! The balances that an automation pays out or converts.

use std::cmp::Reverse;

use settlekit_core::account::Account;
use settlekit_core::error::Reason;
use settlekit_core::value::{Amount, Currency, OrganisationId};

use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

pub(super) fn sum(mut amounts: impl Iterator<Item = Amount>) -> Outcome<Amount> {
    let total = amounts.try_fold(Amount::ZERO, |total, amount| total.plus(amount));
    total.map_err(|_| too_large())
}

/// The available balance of a currency on an account.
pub(super) struct Held {
    pub(super) account: Account,
    pub(super) amount: Amount,
    /// The currency's decimal places on the account's chain.
    pub(super) scale: u32,
}

pub(super) fn too_large() -> Refusal {
    Refusal::because(
        Reason::AmountTooLarge,
        "the amount is too large to represent exactly",
    )
}

/// The available balances of a currency on the account and its sub-accounts.
pub(super) fn held(
    unit: &mut Unit<'_>,
    account: &Account,
    currency: &Currency,
) -> Result<Vec<Held>, StoreError> {
    let below = store::account::chains_of(unit.database, account.org_id, account.id)?;
    let mut held = Vec::new();
    let family = below.into_iter().chain([account.clone()]);
    // The service cannot send from the merchant's own wallet.
    for account in family.filter(Account::is_held) {
        let Some(chain) = account.chain_id else {
            continue;
        };
        let Some(asset) = store::chain::asset(unit.database, chain, currency)? else {
            continue;
        };
        let balances = store::ledger::balances(unit.database, account.org_id, Some(account.id))?;
        let units: i128 = balances
            .iter()
            .filter(|balance| balance.currency == *currency)
            .map(|balance| balance.posted - balance.reserved)
            .sum();
        let amount = Amount::from_units(units, asset.scale)
            .map_err(|_| StoreError::Damaged("a balance is malformed".into()))?;
        held.push(Held {
            account,
            amount,
            scale: asset.scale,
        });
    }
    Ok(held)
}

/// The balances to pay out or convert, largest first, without amounts that open orders await.
pub(super) fn surplus(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    currency: &Currency,
    mut held: Vec<Held>,
) -> Outcome<Vec<Held>> {
    for held in &mut held {
        let awaited = store::order::awaited(unit.database, organisation, held.account.id)?;
        let awaited = awaited.into_iter().filter(|(sold, _)| sold == currency);
        let awaited = sum(awaited.map(|(_, amount)| Amount::from(amount)))?;
        held.amount = held
            .amount
            .minus(awaited.min(held.amount))
            .map_err(|_| too_large())?;
    }
    held.sort_by_key(|held| Reverse(held.amount));
    Ok(held)
}
