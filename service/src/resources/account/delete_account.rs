//! Deletes an account without balance and without pending work.

use settlekit_core::account::{Account, AccountState, DeleteAccount};
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::value::OrganisationId;

use super::named::lock_one;
use super::record_event;
use super::virtual_account::sub_accounts_changed;
use crate::resources::automation;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn delete_account(
    unit: &mut Unit<'_>,
    call: Received<DeleteAccount>,
) -> Outcome<Account> {
    let organisation = call.caller.organisation;
    let account = lock_one(unit, organisation, &call.path.account)?;
    // A parent is deleted with all its sub-accounts or not at all.
    let below = store::account::chains_of(unit.database, organisation, account.id)?;
    for account in below.iter().chain([&account]) {
        refuse_in_use(unit, organisation, account)?;
    }
    for account in below {
        delete(unit, account)?;
    }
    let account = delete(unit, account)?;
    if let Some(parent) = account.parent_id {
        sub_accounts_changed(unit, organisation, parent)?;
    }
    Ok(account)
}

fn refuse_in_use(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    account: &Account,
) -> Outcome<()> {
    let held = store::ledger::balances(unit.database, organisation, Some(account.id))?;
    // The balance of the merchant's own wallet stays theirs, with or without the account.
    if account.is_held()
        && let Some(balance) = held
            .iter()
            .find(|balance| balance.posted != 0 || balance.reserved != 0)
    {
        return Err(Refusal::because(
            Reason::AccountNotEmpty,
            format!(
                "account {} still holds {}: pay it out or move it first",
                account.id, balance.currency
            ),
        ));
    }
    if store::account::is_busy(unit.database, organisation, account.id)? {
        return Err(Refusal::because(
            Reason::WorkUnderWay,
            format!(
                "account {} has a payment, a movement or an order in progress",
                account.id
            ),
        ));
    }
    Ok(())
}

fn delete(unit: &mut Unit<'_>, account: Account) -> Result<Account, StoreError> {
    let account = Account {
        enabled: false,
        state: AccountState::Deleted,
        deleted_at: Some(unit.now),
        updated_at: unit.now,
        ..account
    };
    store::account::update(unit.database, &account)?;
    automation::end_with(unit, account.org_id, account.id)?;
    record_event(unit, account, EventAction::Disabled)
}
