//! Resolves an account's id or reference to one or several accounts.
//!
//! A reference of a virtual account names that account, which represents its sub-accounts. A reference of several settlement
//! accounts, one per chain, names all of them; a caller who needs one names its id or a chain.

use settlekit_core::account::{Account, AccountType};
use settlekit_core::error::Reason;
use settlekit_core::value::{AccountKey, ChainId, OrganisationId};

use crate::store;
use crate::store::movement::List;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// The accounts of a key: by id, deleted ones too; by reference the virtual account, or the whole bundle, oldest first; or empty.
fn named(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
) -> Result<Vec<Account>, StoreError> {
    match key {
        AccountKey::Id(id) => {
            let found = store::account::LISTING.find(unit.database, organisation, *id)?;
            Ok(found.into_iter().collect())
        }
        AccountKey::Reference(reference) => {
            let bundled = store::account::by_reference(unit.database, organisation, reference)?;
            let place = bundled
                .iter()
                .position(|account| account.account_type == AccountType::Virtual);
            Ok(match place {
                Some(place) => bundled.into_iter().skip(place).take(1).collect(),
                None => bundled,
            })
        }
    }
}

/// The single account of a key in the path; refused as not found if there is none.
pub(crate) fn one(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
) -> Outcome<Account> {
    let found = find_one(unit, organisation, key, None)?;
    found.ok_or_else(|| Refusal::not_found("account"))
}

/// As [`one`], active and locked.
pub(super) fn lock_one(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
) -> Outcome<Account> {
    let id = one(unit, organisation, key)?.id;
    store::account::LISTING
        .lock(unit.database, organisation, id)?
        .filter(|account| account.deleted_at.is_none())
        .ok_or_else(|| Refusal::not_found("account"))
}

/// The single account of a key; refuses a bundle, naming the field if it is not in the path.
pub(super) fn find_one(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
    field: Option<&'static str>,
) -> Outcome<Option<Account>> {
    let mut accounts = named(unit, organisation, key)?;
    if accounts.len() < 2 {
        return Ok(accounts.pop());
    }
    let each: Vec<String> = accounts
        .iter()
        .map(|account| match &account.chain {
            Some(chain) => format!("{} on {}", account.id, chain.name),
            None => account.id.to_string(),
        })
        .collect();
    let message = format!(
        "{key} names several accounts, of which one is needed: {}",
        each.join(", ")
    );
    Err(Refusal::of(field, Reason::ReferenceAmbiguous, message))
}

/// The account of a key on a chain: of a virtual account and of a bundle, the one there.
pub(crate) fn on_chain(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
    chain: ChainId,
) -> Result<Option<Account>, StoreError> {
    let named = with_a_chain(unit, organisation, key)?.unwrap_or_default();
    let mut named = named.into_iter();
    Ok(named.find(|account| account.chain_id == Some(chain)))
}

/// The accounts on chains of a key: the sub-accounts of a virtual account whatever their own reference, a bundle, or the one
/// account. `None` if the key names no active account.
pub(crate) fn with_a_chain(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
) -> Result<Option<Vec<Account>>, StoreError> {
    let mut accounts = named(unit, organisation, key)?;
    accounts.retain(|account| account.deleted_at.is_none());
    Ok(match accounts.first() {
        None => None,
        Some(first) if first.account_type == AccountType::Virtual => {
            let below = store::account::chains_of(unit.database, organisation, first.id)?;
            Some(below)
        }
        Some(_) => Some(accounts),
    })
}

/// As [`on_chain`], refused with the field `account` if there is none.
pub(crate) fn one_on_chain(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
    chain: ChainId,
) -> Outcome<Account> {
    on_chain(unit, organisation, key, chain)?
        .ok_or_else(|| Refusal::reference_unknown("account", "is not an account on this chain"))
}

/// As [`one_on_chain`], to pay out from: also a deleted account by its id, because late deposits are the merchant's.
pub(crate) fn holder_on_chain(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
    chain: ChainId,
) -> Outcome<Account> {
    if let AccountKey::Id(id) = key
        && let Some(account) = store::account::LISTING.find(unit.database, organisation, *id)?
        && account.deleted_at.is_some()
        && account.chain_id == Some(chain)
    {
        return Ok(account);
    }
    one_on_chain(unit, organisation, key, chain)
}

/// Each account of a key and their sub-accounts, without duplicates; refused as not found if there is none.
pub(crate) fn with_sub_accounts(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
) -> Outcome<Vec<Account>> {
    let mut all: Vec<Account> = Vec::new();
    for account in named(unit, organisation, key)? {
        let below = store::account::chains_of(unit.database, organisation, account.id)?;
        for account in std::iter::once(account).chain(below) {
            if all.iter().all(|known| known.id != account.id) {
                all.push(account);
            }
        }
    }
    if all.is_empty() {
        return Err(Refusal::not_found("account"));
    }
    Ok(all)
}

/// Whether an address belongs to one of these accounts on its chain.
pub(crate) fn is_address_of_any(
    unit: &mut Unit<'_>,
    accounts: &[&Account],
    address: &str,
) -> Result<bool, StoreError> {
    for account in accounts {
        let Some(chain) = account.chain_id else {
            continue;
        };
        let owner =
            store::account::account_of_address(unit.database, account.org_id, (chain, address))?;
        if owner.is_some_and(|owner| accounts.iter().any(|account| account.id == owner)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The movement list of a key.
pub(crate) fn movements_of(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
) -> Outcome<List> {
    if let AccountKey::Reference(reference) = key
        && let Some(list) = store::bundle::list(unit.database, organisation, reference)?
    {
        return Ok(list);
    }
    Ok(List::of_account(one(unit, organisation, key)?.id))
}
