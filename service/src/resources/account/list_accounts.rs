//! Lists accounts, each with the worth of its balance.

use settlekit_core::account::{Account, ListAccounts};
use settlekit_core::chain::ChainDetail;
use settlekit_core::page::Page;
use settlekit_core::value::AccountId;

use crate::money::prices;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn list_accounts(
    unit: &mut Unit<'_>,
    call: Received<ListAccounts>,
) -> Outcome<Page<Account>> {
    let organisation = call.caller.organisation;
    let mut page = store::account::LISTING.page(unit.database, organisation, &call.query)?;
    if !prices::is_connected(unit)? {
        return Ok(page);
    }
    let chains = store::chain::list(unit.database)?;
    for account in &mut page.items {
        if let Some((posted, reserved)) = worth(unit, &chains, account)? {
            account.balance_usd = prices::usd_shown(posted);
            account.reserved_usd = prices::usd_shown(reserved);
        }
    }
    Ok(page)
}

/// The worth of an account's posted and reserved money, in millionths of a US dollar; `None` without a price of any of it, and on a test
/// network.
fn worth(
    unit: &mut Unit<'_>,
    chains: &[ChainDetail],
    account: &Account,
) -> Result<Option<(i128, i128)>, StoreError> {
    let organisation = account.org_id;
    // A virtual account has no balance of its own: its chain accounts have.
    let accounts: Vec<AccountId> = match account.chain_id {
        Some(_) => vec![account.id],
        None => store::account::chains_of(unit.database, organisation, account.id)?
            .iter()
            .map(|account| account.id)
            .collect(),
    };
    let is_test = |detail: &ChainDetail| detail.test_network == Some(true);
    let mut of_account = chains.iter();
    let of_account = of_account.find(|detail| Some(detail.id) == account.chain_id);
    if of_account.is_some_and(is_test) {
        return Ok(None);
    }
    let mut worth = (0_i128, 0_i128);
    for account in accounts {
        for balance in store::ledger::balances(unit.database, organisation, Some(account))? {
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
            // A balance is never less than its reserved part.
            if balance.posted == 0 || is_test(detail) {
                continue;
            }
            let prices = prices::of(unit, [&balance.currency])?;
            let usd = |units| prices.usd_of(units, asset.scale, &balance.currency);
            let (Some(posted), Some(reserved)) = (usd(balance.posted), usd(balance.reserved))
            else {
                return Ok(None);
            };
            worth = (
                worth.0.saturating_add(posted),
                worth.1.saturating_add(reserved),
            );
        }
    }
    Ok(Some(worth))
}
