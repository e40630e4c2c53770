//! Changes a virtual account and its splits.

use settlekit_core::account::{
    Account, AccountState, AccountType, DepositSplit, UpdateVirtualAccount,
    UpdateVirtualAccountBody,
};
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::validate::Report;
use settlekit_core::value::{AccountReference, ChainId, Currency, ExtendedPublicKey};

use super::circle::share_returns;
use super::own_wallet::OwnWallet;
use super::virtual_account::{add_chain, check_destinations, currencies_of, name_of, new_chains};
use super::{is_address_of_any, record_event};
use crate::money::connection;
use crate::money::outflow::{check_addition, splits_set_by};
use crate::resources::event;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn update_virtual_account(
    unit: &mut Unit<'_>,
    call: Received<UpdateVirtualAccount>,
) -> Outcome<Account> {
    let organisation = call.caller.organisation;
    let by = call.caller.name();
    let UpdateVirtualAccountBody {
        reference,
        chains: wanted,
        disable_chains,
        deposit_splits: splits,
    } = call.body;
    let named = match &reference {
        Some(reference) => store::account::by_reference(unit.database, organisation, reference)?
            .into_iter()
            .find(|account| account.account_type == AccountType::Virtual),
        None => store::account::primary_virtual(unit.database, organisation)?,
    };
    let missing = || Refusal::not_found("virtual account");
    let parent = store::account::LISTING
        .lock(unit.database, organisation, named.ok_or_else(missing)?.id)?
        .filter(|account| account.deleted_at.is_none())
        .ok_or_else(missing)?;
    let before = parent.deposit_splits.as_deref();
    let deposit_splits = splits_set_by(unit, &call.caller, splits, before)?;
    if wanted.is_some() {
        check_addition(unit, &call.caller, &parent)?;
    }
    let existing = store::account::chains_of(unit.database, organisation, parent.id)?;
    let on = |chain: ChainId| {
        existing
            .iter()
            .find(|account| account.chain_id == Some(chain))
    };
    let disabled = disable_chains.unwrap_or_default();
    let mut report = Report::default();
    let chains = new_chains(unit, wanted.unwrap_or_default(), &mut report)?;
    for new in &chains {
        if let (Some(own), Some(account)) = (&new.own, on(new.chain.id))
            && !has_wallet(account, own, new.xpub.as_ref())
        {
            report.add_error(
                &format!("chains[{}].{}", new.place, own.field),
                Reason::Excluded,
                "must be absent, or that of the account on this chain: an account keeps its wallet",
            );
        }
    }
    for (place, chain) in disabled.iter().enumerate() {
        if on(*chain).is_none() {
            report.add_error(
                &format!("disable_chains[{place}]"),
                Reason::ReferenceUnknown,
                "is not a chain of this account",
            );
        }
    }
    if let Some(splits) = &deposit_splits {
        if !splits.is_empty() {
            let chains = existing.iter().filter_map(|account| account.chain_id);
            connection::all_connected(unit, chains)?;
        }
        let on = existing.iter().filter_map(|account| account.chain_id);
        let on = on.chain(chains.iter().map(|new| new.chain.id));
        check_destinations(unit, organisation, (splits, on.collect()), &mut report)?;
        refuse_itself(unit, (&parent, &existing), splits, &mut report)?;
    }
    Refusal::reported(report)?;
    let parent = Account {
        deposit_splits: match deposit_splits {
            Some(splits) => Some(splits).filter(|splits| !splits.is_empty()),
            None => parent.deposit_splits,
        },
        ..parent
    };
    for new in chains {
        match on(new.chain.id) {
            // Enabling only adds currencies.
            Some(account) => {
                let currencies = currencies_of([&account.currencies, &new.currencies]);
                set_chain(unit, account, true, currencies)?;
            }
            None => add_chain(unit, (&parent, &by), new)?,
        }
    }
    for account in disabled.into_iter().filter_map(on) {
        set_chain(unit, account, false, account.currencies.clone())?;
    }
    let below = store::account::chains_of(unit.database, organisation, parent.id)?;
    let parent = Account {
        currencies: currencies_of(below.iter().map(|account| &account.currencies)),
        updated_at: unit.now,
        ..parent
    };
    store::account::update(unit.database, &parent)?;
    Ok(record_event(unit, parent, EventAction::Updated)?)
}

/// Whether an account is of this wallet of the merchant's.
fn has_wallet(account: &Account, own: &OwnWallet, xpub: Option<&ExtendedPublicKey>) -> bool {
    let is_at = |wallet: &str| wallet.eq_ignore_ascii_case(own.address.as_str());
    account.own_wallet().is_some_and(is_at) && account.xpub.as_ref() == xpub
}

/// Reports splits that return to the virtual account or one of its chains: by id or reference they would do nothing, and by
/// address they would be deposited and split again and again, for a network fee each time.
fn refuse_itself(
    unit: &mut Unit<'_>,
    (parent, below): (&Account, &[Account]),
    splits: &[DepositSplit],
    report: &mut Report,
) -> Result<(), StoreError> {
    let family: Vec<&Account> = below.iter().chain([parent]).collect();
    let currencies = currencies_of(below.iter().map(|account| &account.currencies));
    for (place, split) in splits.iter().enumerate() {
        let refers = |account: &&Account| {
            let reference = account.reference.as_ref().map(AccountReference::as_str);
            reference.is_some() && reference == split.account_ref.as_deref()
        };
        let name = if split
            .account_id
            .is_some_and(|id| family.iter().any(|account| account.id == id))
        {
            "account_id"
        } else if family.iter().any(refers) {
            "account_ref"
        } else if let Some(address) = &split.address
            && is_address_of_any(unit, &family, address)?
        {
            "address"
        } else {
            if share_returns(unit, &family, split, &currencies)? {
                report.add_error(
                    &format!("deposit_splits[{place}].{}", name_of(split)),
                    Reason::Excluded,
                    "must not belong to an account that pays out to this one: the money would come back",
                );
            }
            continue;
        };
        report.add_error(
            &format!("deposit_splits[{place}].{name}"),
            Reason::Excluded,
            "must not be the account itself: unsplit funds stay there",
        );
    }
    Ok(())
}

fn set_chain(
    unit: &mut Unit<'_>,
    account: &Account,
    enabled: bool,
    currencies: Vec<Currency>,
) -> Outcome<()> {
    if account.enabled == enabled && account.currencies == currencies {
        return Ok(());
    }
    let action = event::action_of_switch(account.enabled, enabled);
    let account = Account {
        enabled,
        state: if enabled {
            AccountState::Active
        } else {
            AccountState::Disabled
        },
        currencies,
        updated_at: unit.now,
        ..account.clone()
    };
    store::account::update(unit.database, &account)?;
    record_event(unit, account, action)?;
    Ok(())
}
