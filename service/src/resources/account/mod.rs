//! Settlement accounts and the movements of their ledger.

pub(crate) mod book;
mod circle;
mod create_account;
mod create_ownership_challenge;
mod create_pay_in_address;
mod create_virtual_account;
mod delete_account;
pub(crate) mod fee;
mod list_accounts;
mod list_balances;
mod list_movements;
mod movement;
mod named;
mod own_wallet;
mod ownership;
mod pay_in_address;
mod prove_ownership;
mod share_out;
mod split;
mod update_virtual_account;
mod virtual_account;
mod volume;

pub(crate) use circle::is_cyclic_destination;
pub(crate) use create_account::create_account;
pub(crate) use create_ownership_challenge::create_ownership_challenge;
pub(crate) use create_pay_in_address::create_pay_in_address;
pub(crate) use create_virtual_account::create_virtual_account;
pub(crate) use delete_account::delete_account;
pub(crate) use list_accounts::{list_accounts, set_worth, worth_of};
pub(crate) use list_balances::{balances_of, list_balances};
pub(crate) use list_movements::{get_movement, list_all_movements, list_movements};
pub(crate) use movement::{
    UNDER_WAY, book_movement, fail_movement, move_movement_on, set_movement_status,
};
pub(crate) use named::{
    holder_on_chain, is_address_of_any, movements_of, on_chain, one, one_on_chain, with_a_chain,
    with_sub_accounts,
};
pub(crate) use pay_in_address::list_pay_in_addresses;
pub(crate) use prove_ownership::prove_ownership;
pub(crate) use share_out::share_out;
pub(crate) use update_virtual_account::update_virtual_account;
pub(crate) use volume::{count_deposit, count_withdrawal};

use serde::Serialize;
use settlekit_core::account::{Account, GetAccount};
use settlekit_core::event::{EventAction, EventType};
use settlekit_core::value::{AccountId, ChainId, OrganisationId, PaymentId};

use crate::chains::send::NewAddress;
use crate::resources::event;
use crate::store;
use crate::store::account::Address;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Unit};

/// The account with its parent and sub-accounts.
pub(crate) fn with_family(unit: &mut Unit<'_>, account: Account) -> Result<Account, StoreError> {
    let sub_accounts = store::account::below(unit.database, account.org_id, account.id)?;
    let parent = match account.parent_id {
        Some(parent) => store::account::LISTING
            .find(unit.database, account.org_id, parent)?
            .map(|parent| (&parent).into()),
        None => None,
    };
    Ok(Account {
        parent,
        sub_accounts: Some(sub_accounts),
        ..account
    })
}

/// Assigns a new address on a chain to an account, and to its payment if it has one. Those of an extended public key are watched only.
pub(crate) fn hold_new_address(
    unit: &mut Unit<'_>,
    account: &Account,
    (chain, new): (ChainId, &NewAddress),
    payment: Option<PaymentId>,
) -> Result<(), StoreError> {
    let owner = Address {
        organisation: account.org_id,
        account: account.id,
        payment,
        index: new.index,
    };
    let address = &new.address;
    let is_new = match account.xpub {
        Some(_) => store::account::watch_address(unit.database, chain, address, &owner)?,
        None => store::account::hold_address(unit.database, chain, address, &owner)?,
    };
    if !is_new {
        return Err(StoreError::Broken("a new address is known already".into()));
    }
    Ok(())
}

/// Records an account's event and returns the account with its family.
pub(crate) fn record_event(
    unit: &mut Unit<'_>,
    account: Account,
    action: EventAction,
) -> Result<Account, StoreError> {
    let organisation = account.org_id;
    let account = with_family(unit, account)?;
    event::record(unit, organisation, action, &account)?;
    Ok(account)
}

/// Records an event about an account whose record has no id of its own.
pub(crate) fn record_of<T: Serialize>(
    unit: &mut Unit<'_>,
    account: (OrganisationId, AccountId),
    action: EventAction,
    what: &T,
) -> Result<(), StoreError> {
    let (organisation, id) = account;
    let what_happened = (EventType::Account, action);
    event::record_about(unit, organisation, what_happened, id.to_string(), what)
}

pub(crate) fn get_account(unit: &mut Unit<'_>, call: Received<GetAccount>) -> Outcome<Account> {
    let account = one(unit, call.caller.organisation, &call.path.account)?;
    Ok(with_family(unit, account)?)
}
