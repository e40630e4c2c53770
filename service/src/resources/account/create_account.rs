//! Creates a settlement account, with a wallet held by the service or the merchant's own, which is watched only until proven.

use settlekit_core::account::{
    Account, AccountProvider, AccountType, CreateAccount, CreateAccountBody,
};
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::value::ChainId;

use super::named::find_one;
use super::own_wallet::{OwnWallet, assign_address};
use super::record_event;
use super::virtual_account::sub_accounts_changed;
use crate::money::connection;
use crate::money::outflow::check_addition;
use crate::resources::chain;
use crate::store;
use crate::store::account::{NewAccount, NewWallet};
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn create_account(
    unit: &mut Unit<'_>,
    call: Received<CreateAccount>,
) -> Outcome<Account> {
    let organisation = call.caller.organisation;
    let body = call.body;
    let known = chain::known(unit, body.chain_id)?;
    let connection = connection::connected(unit, body.chain_id, Some("chain_id"))?;
    chain::check_currencies(unit, &known, &body.currencies)?;
    let bundled = match &body.reference {
        Some(reference) => store::account::by_reference(unit.database, organisation, reference)?,
        None => Vec::new(),
    };
    if is_on(&bundled, body.chain_id) {
        return Err(Refusal::already_exists(
            "reference",
            "already has an account on this chain",
        ));
    }
    let parent = match &body.parent_account_id {
        None => None,
        Some(key) => {
            const FIELD: &str = "parent_account_id";
            let parent = find_one(unit, organisation, key, Some(FIELD))?
                .filter(|parent| parent.deleted_at.is_none())
                .ok_or_else(|| Refusal::reference_unknown(FIELD, "is not an account"))?;
            if parent.parent_id.is_some() {
                return Err(Refusal::field(
                    FIELD,
                    Reason::StateForbids,
                    "must not be a sub-account itself",
                ));
            }
            Some(parent)
        }
    };
    refuse_reference_of_virtual(unit, &body, &bundled, parent.as_ref())?;
    let own = OwnWallet::given(unit, &known, body.address.as_ref(), body.xpub.as_ref())?;
    if let Some(parent) = &parent {
        match &own {
            None => check_addition(unit, &call.caller, parent)?,
            Some(own) => {
                own.refuse_destination(unit, parent, (body.chain_id, &body.currencies))?;
            }
        }
    }
    let (wallet, provider) = match own {
        Some(own) => (own.address.to_string(), AccountProvider::External),
        None => (
            connection.new_held_address(unit, body.chain_id)?,
            AccountProvider::Managed,
        ),
    };
    let account = NewAccount {
        organisation,
        reference: body.reference,
        name: body.name,
        wallet: Some(NewWallet {
            address: wallet.clone(),
            chain: known.chain,
            provider,
            xpub: body.xpub,
        }),
        currencies: body.currencies,
        parent: parent.as_ref().map(|parent| parent.id),
        deposit_splits: None,
        by: call.caller.name(),
    };
    let account = store::account::insert(unit.database, account, unit.now)?;
    // A virtual account already groups the accounts of its reference: no bundle.
    if let Some(reference) = &account.reference
        && !bundled.is_empty()
        && !bundled
            .iter()
            .any(|account| account.account_type == AccountType::Virtual)
    {
        store::bundle::join(unit.database, organisation, reference, account.id)?;
    }
    assign_address(unit, connection, &account, (body.chain_id, &wallet))?;
    if let Some(parent) = account.parent_id {
        sub_accounts_changed(unit, organisation, parent)?;
    }
    Ok(record_event(unit, account, EventAction::Created)?)
}

fn is_on(accounts: &[Account], chain: ChainId) -> bool {
    let mut accounts = accounts.iter();
    accounts.any(|account| account.chain_id == Some(chain))
}

/// Refuses a second account on a virtual account's reference: it would be in none of the virtual account's lists.
fn refuse_reference_of_virtual(
    unit: &mut Unit<'_>,
    body: &CreateAccountBody,
    bundled: &[Account],
    parent: Option<&Account>,
) -> Outcome<()> {
    let of_reference = bundled
        .iter()
        .find(|account| account.account_type == AccountType::Virtual);
    if let Some(of_reference) = of_reference
        && parent.is_none_or(|parent| parent.id != of_reference.id)
    {
        return Err(Refusal::already_exists(
            "reference",
            "is a virtual account's, which is given chains by PATCH /accounts/virtual",
        ));
    }
    let Some(parent) = parent.filter(|parent| parent.account_type == AccountType::Virtual) else {
        return Ok(());
    };
    let below = store::account::chains_of(unit.database, parent.org_id, parent.id)?;
    if is_on(&below, body.chain_id) {
        return Err(Refusal::already_exists(
            "chain_id",
            "is already a chain of the virtual account",
        ));
    }
    Ok(())
}
