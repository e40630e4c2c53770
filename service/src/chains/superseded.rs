//! The books of a deleted account whose wallet another account has.
//!
//! The opening balance of the other account books the wallet's balance. So the books of the deleted account keep only the balances of
//! its other addresses: those of payments stay with it.

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::Address;
use settlekit_core::account::{Account, Direction};
use settlekit_core::payment::TransactionStatus;
use settlekit_core::value::{AccountId, ChainId, OrganisationId};

use super::{adjustment, deposit, withdrawal};
use crate::resources::account::book::Money;
use crate::store;
use crate::store::held_transfer::HeldTransfer;
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::unit::Unit;

/// The accounts for which transfers were settled, each with its addresses in these transfers.
pub(super) type Settled = BTreeMap<(OrganisationId, AccountId), BTreeSet<String>>;

/// The address of its account in a transfer.
pub(super) fn own_address(seen: &Seen) -> Option<&str> {
    match seen.direction {
        Direction::Out => seen.from_address.as_deref(),
        _ => Some(&seen.to_address),
    }
}

/// Removes a wallet's balance from the books of the deleted account that had it. Its transfers that are in no block fail: a block that
/// contains one later credits the other account.
pub(crate) fn release(
    unit: &mut Unit<'_>,
    account: &Account,
    (chain, wallet): (ChainId, &str),
) -> Result<(), StoreError> {
    let owner = (account.org_id, account.id);
    for seen in store::transaction::lock_unmined(unit.database, owner, chain)? {
        if own_address(&seen).is_some_and(|own| own.eq_ignore_ascii_case(wallet)) {
            lost(unit, seen)?;
        }
    }
    adjustment::book_holdings(unit, account, chain)
}

/// Fails a pending transfer.
pub(super) fn lost(unit: &mut Unit<'_>, seen: Seen) -> Result<(), StoreError> {
    match seen.direction {
        Direction::Out => withdrawal::lost(unit, seen),
        _ => deposit::lost(unit, seen),
    }
}

/// Fails a pending transfer of a deleted account that a reorganisation took out of its block, if another account has its address: a
/// block that contains it later credits that account, whose opening balance may not have it.
pub(super) fn rewind(unit: &mut Unit<'_>, seen: Seen) -> Result<(), StoreError> {
    if seen.status != TransactionStatus::Pending {
        return Ok(());
    }
    let deleted = deleted_own_wallet(unit, (seen.organisation, seen.account))?;
    let (Some(account), Some(address)) = (deleted, own_address(&seen)) else {
        return Ok(());
    };
    match other_owner(unit, &account, (seen.chain, address))? {
        Some(_) => lost(unit, seen),
        None => Ok(()),
    }
}

/// An account, if it is deleted and of a merchant's own wallet.
fn deleted_own_wallet(
    unit: &mut Unit<'_>,
    (organisation, id): (OrganisationId, AccountId),
) -> Result<Option<Account>, StoreError> {
    let account = store::account::LISTING.find(unit.database, organisation, id)?;
    Ok(account.filter(|account| account.deleted_at.is_some() && !account.is_held()))
}

/// The other account of the organisation that has an address.
fn other_owner(
    unit: &mut Unit<'_>,
    account: &Account,
    at: (ChainId, &str),
) -> Result<Option<AccountId>, StoreError> {
    let owner = store::account::account_of_address(unit.database, account.org_id, at)?;
    Ok(owner.filter(|owner| *owner != account.id))
}

/// Adjusts the books of deleted accounts for which transfers were settled, or whose proxies were swept: the account that has the wallet,
/// or another address of theirs, has that money in its books.
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
        for target in store::account::by_address(unit.database, chain, currency, &proxy)? {
            let owner = (target.account.org_id, target.account.id);
            settled.entry(owner).or_default();
        }
    }
    for (owner, mut addresses) in settled {
        let Some(account) = deleted_own_wallet(unit, owner)? else {
            continue;
        };
        addresses.extend(account.address.clone());
        for address in &addresses {
            if other_owner(unit, &account, (chain, address))?.is_some() {
                adjustment::book_holdings(unit, &account, chain)?;
                break;
            }
        }
    }
    Ok(())
}

/// Adjusts the books of the account that has the wallet of a deleted one, when blocks are settled that bring back booked transfers of the
/// deleted account, which a reorganisation took away: the opening balance has them only if it was read before the reorganisation.
pub(super) fn returned(unit: &mut Unit<'_>, transfers: &[Seen]) -> Result<(), StoreError> {
    for seen in transfers {
        let deleted = deleted_own_wallet(unit, (seen.organisation, seen.account))?;
        let (Some(account), Some(address)) = (deleted, own_address(seen)) else {
            continue;
        };
        let Some(owner) = other_owner(unit, &account, (seen.chain, address))? else {
            continue;
        };
        let owner = store::account::LISTING.find(unit.database, seen.organisation, owner)?;
        // The deposits of a managed account are booked without the balance of its address.
        if let Some(owner) = owner.filter(|owner| !owner.is_held()) {
            book_returned(unit, &owner, seen)?;
        }
    }
    Ok(())
}

/// Books what a transfer moved as far as the books lack it: another difference stays one.
fn book_returned(unit: &mut Unit<'_>, owner: &Account, seen: &Seen) -> Result<(), StoreError> {
    let named = (owner.org_id, owner.id);
    let booked = store::ledger::balances(unit.database, named.0, Some(named.1))?;
    let mut booked = booked.iter();
    let booked = booked
        .find(|booked| booked.currency == seen.currency)
        .map_or(0, |booked| booked.posted);
    let held = store::holding::of_account(unit.database, seen.chain, named, &seen.currency)?;
    let units = match seen.direction {
        Direction::Out => (held - booked).clamp(-seen.units, 0),
        _ => (held - booked).clamp(0, seen.units),
    };
    if units == 0 {
        return Ok(());
    }
    adjustment::book(unit, owner, &Money::new(&seen.currency, units))
}
