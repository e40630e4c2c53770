//! Lists accounts, each with the worth of its balance.

use std::collections::BTreeMap;

use settlekit_core::account::{Account, ListAccounts};
use settlekit_core::chain::ChainDetail;
use settlekit_core::page::Page;
use settlekit_core::value::{AccountId, OrganisationId};

use crate::money::prices::{self, Prices};
use crate::store;
use crate::store::ledger::Balance;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn list_accounts(
    unit: &mut Unit<'_>,
    call: Received<ListAccounts>,
) -> Outcome<Page<Account>> {
    let organisation = call.caller.organisation;
    let mut page = store::account::LISTING.page(unit.database, organisation, &call.query)?;
    set_worth(unit, organisation, &mut page.items)?;
    Ok(page)
}

/// Sets the worth of at most a page of accounts.
pub(crate) fn set_worth(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    accounts: &mut [Account],
) -> Result<(), StoreError> {
    if !prices::is_connected(unit)? {
        return Ok(());
    }
    let ids: Vec<AccountId> = accounts.iter().map(|account| account.id).collect();
    let mut held: BTreeMap<AccountId, Vec<Balance>> = BTreeMap::new();
    for (account, balance) in store::listed_balance::list(unit.database, organisation, &ids)? {
        // A balance is never less than its reserved part.
        if balance.posted != 0 {
            held.entry(account).or_default().push(balance);
        }
    }
    let currencies = held.values().flatten().map(|balance| &balance.currency);
    let prices = prices::of(unit, currencies)?;
    let chains = store::chain::list(unit.database)?;
    for account in accounts {
        let held = held.get(&account.id).map_or(&[][..], Vec::as_slice);
        if let Some((posted, reserved)) = worth(&prices, &chains, account, held)? {
            account.balance_usd = prices::usd_shown(posted);
            account.reserved_usd = prices::usd_shown(reserved);
        }
    }
    Ok(())
}

fn is_test(detail: &ChainDetail) -> bool {
    detail.test_network == Some(true)
}

/// The worth of an account's posted and reserved money, in millionths of a US dollar; `None` without a price of any of it, and on a test
/// network.
fn worth(
    prices: &Prices,
    chains: &[ChainDetail],
    account: &Account,
    held: &[Balance],
) -> Result<Option<(i128, i128)>, StoreError> {
    let mut of_account = chains.iter();
    let of_account = of_account.find(|detail| Some(detail.id) == account.chain_id);
    if of_account.is_some_and(is_test) {
        return Ok(None);
    }
    worth_of(prices, chains, held)
}

/// The worth of posted and reserved money, in millionths of a US dollar, without that of test networks; `None` without a price of any of it.
pub(crate) fn worth_of(
    prices: &Prices,
    chains: &[ChainDetail],
    held: &[Balance],
) -> Result<Option<(i128, i128)>, StoreError> {
    let mut worth = (0_i128, 0_i128);
    for balance in held {
        let mut known = chains.iter();
        let detail = known.find(|detail| detail.id == balance.chain);
        let asset = detail.and_then(|detail| {
            let mut assets = detail.assets.iter();
            assets.find(|asset| asset.symbol == balance.currency)
        });
        let (Some(detail), Some(asset)) = (detail, asset) else {
            return Err(StoreError::Damaged(
                "a balance is of an unknown asset".into(),
            ));
        };
        // Virtual accounts and organisations may have chains of both kinds.
        if is_test(detail) {
            continue;
        }
        let usd = |units| prices.usd_of(units, asset.scale, &balance.currency);
        let (Some(posted), Some(reserved)) = (usd(balance.posted), usd(balance.reserved)) else {
            return Ok(None);
        };
        worth = (
            worth.0.saturating_add(posted),
            worth.1.saturating_add(reserved),
        );
    }
    Ok(Some(worth))
}
