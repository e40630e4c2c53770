//! The books of a deleted account whose wallet another account has.
//!
//! The opening balance of the other account books the wallet's balance. So the books of the deleted account keep only the balances of
//! its other addresses: those of payments stay with it.

use std::collections::BTreeSet;

use alloy_primitives::Address;
use settlekit_core::account::{Account, Direction};
use settlekit_core::value::{AccountId, ChainId, OrganisationId};

use super::{adjustment, deposit, withdrawal};
use crate::store;
use crate::store::held_transfer::HeldTransfer;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The accounts for which transfers were settled.
pub(super) type Settled = BTreeSet<(OrganisationId, AccountId)>;

/// Removes a wallet's balance from the books of the deleted account that had it. Its transfers that are in no block fail: a block that
/// contains one later credits the other account.
pub(crate) fn release(
    unit: &mut Unit<'_>,
    account: &Account,
    (chain, wallet): (ChainId, &str),
) -> Result<(), StoreError> {
    let owner = (account.org_id, account.id);
    for seen in store::transaction::lock_unmined(unit.database, owner, chain)? {
        let own = match seen.direction {
            Direction::Out => seen.from_address.as_deref(),
            _ => Some(seen.to_address.as_str()),
        };
        if !own.is_some_and(|own| own.eq_ignore_ascii_case(wallet)) {
            continue;
        }
        match seen.direction {
            Direction::Out => withdrawal::lost(unit, seen)?,
            _ => deposit::lost(unit, seen)?,
        }
    }
    adjustment::book_holdings(unit, account, chain)
}

/// Adjusts the books of deleted accounts for which transfers were settled, or whose proxies were swept: the account that has the wallet
/// now has that money in its books.
pub(super) fn settle(
    unit: &mut Unit<'_>,
    chain: ChainId,
    mut settled: Settled,
    transfers: &[HeldTransfer],
) -> Result<(), StoreError> {
    let senders: Vec<Address> = transfers.iter().map(|transfer| transfer.from).collect();
    let proxies = store::proxy::proxies_among(unit.database, &senders)?;
    let is_proxy = |address| proxies.iter().any(|proxy| proxy.address == address);
    for transfer in transfers.iter().filter(|transfer| is_proxy(transfer.from)) {
        let (currency, proxy) = (&transfer.currency, format!("{:#x}", transfer.from));
        let targets = store::account::by_address(unit.database, chain, currency, &proxy)?;
        let owners = targets
            .iter()
            .map(|target| (target.account.org_id, target.account.id));
        settled.extend(owners);
    }
    for (organisation, id) in settled {
        let account = store::account::LISTING.find(unit.database, organisation, id)?;
        let superseded =
            account.filter(|account| account.deleted_at.is_some() && !account.is_held());
        let Some(account) = superseded else {
            continue;
        };
        let Some(wallet) = account.address.as_deref() else {
            continue;
        };
        let at = (chain, wallet);
        let owner = store::account::account_of_address(unit.database, organisation, at)?;
        if owner.is_some_and(|owner| owner != id) {
            adjustment::book_holdings(unit, &account, chain)?;
        }
    }
    Ok(())
}
