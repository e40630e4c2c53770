//! Virtual accounts: one reference for a parent without chain and one account per chain below it.

use std::collections::BTreeSet;

use settlekit_core::account::{
    Account, AccountProvider, AccountState, AccountType, CreateVirtualAccount, DepositSplit,
    UpdateVirtualAccount, UpdateVirtualAccountBody, VirtualChain,
};
use settlekit_core::chain::Chain;
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::validate::Report;
use settlekit_core::value::{
    AccountId, AccountReference, ChainId, Currency, ExtendedPublicKey, OrganisationId,
    WalletAddress,
};

use super::circle::share_returns;
use super::own_wallet::{OwnWallet, lead_to};
use super::split::key_of;
use super::{is_address_of_any, record_event, with_a_chain};
use crate::money::connection;
use crate::money::outflow::{check_addition, splits_set_by};
use crate::resources::{chain, event};
use crate::store;
use crate::store::account::{NewAccount, NewWallet};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// The field that lists the chains of a request.
const CHAINS: &str = "chains";

pub(crate) fn create_virtual_account(
    unit: &mut Unit<'_>,
    call: Received<CreateVirtualAccount>,
) -> Outcome<Account> {
    let organisation = call.caller.organisation;
    let body = call.body;
    let deposit_splits = splits_set_by(unit, &call.caller, body.deposit_splits, None)?;
    let mut report = Report::default();
    if !store::account::by_reference(unit.database, organisation, &body.reference)?.is_empty() {
        report.add_error(
            "reference",
            Reason::AlreadyExists,
            "is already used by an account",
        );
    }
    let chains = new_chains(unit, body.chains, &mut report)?;
    if let Some(splits) = &deposit_splits {
        let on = chains.iter().map(|new| new.chain.id);
        check_destinations(unit, organisation, (splits, on.collect()), &mut report)?;
    }
    Refusal::reported(report)?;
    let by = call.caller.name();
    let parent = NewAccount {
        organisation,
        reference: Some(body.reference),
        name: body.name,
        wallet: None,
        currencies: currencies_of(chains.iter().map(|new| &new.currencies)),
        parent: None,
        deposit_splits,
        by: by.clone(),
    };
    let parent = store::account::insert(unit.database, parent, unit.now)?;
    for new in chains {
        add_chain(unit, (&parent, &by), new)?;
    }
    Ok(record_event(unit, parent, EventAction::Created)?)
}

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

/// Updates a parent after a sub-account was added or deleted: a virtual account accepts the currencies of its chains.
pub(super) fn sub_accounts_changed(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    parent: AccountId,
) -> Result<(), StoreError> {
    let Some(parent) = store::account::LISTING.lock(unit.database, organisation, parent)? else {
        return Ok(());
    };
    let below = store::account::chains_of(unit.database, organisation, parent.id)?;
    let parent = Account {
        currencies: match parent.account_type {
            AccountType::Virtual => currencies_of(below.iter().map(|account| &account.currencies)),
            _ => parent.currencies,
        },
        updated_at: unit.now,
        ..parent
    };
    store::account::update(unit.database, &parent)?;
    record_event(unit, parent, EventAction::Updated)?;
    Ok(())
}

fn currencies_of<'a>(lists: impl IntoIterator<Item = &'a Vec<Currency>>) -> Vec<Currency> {
    let all: BTreeSet<&Currency> = lists.into_iter().flatten().collect();
    all.into_iter().cloned().collect()
}

/// A requested chain.
struct NewChain {
    /// Its place in the request.
    place: usize,
    chain: Chain,
    currencies: Vec<Currency>,
    /// The merchant's own wallet there; without it the service holds the money.
    own: Option<OwnWallet>,
    xpub: Option<ExtendedPublicKey>,
}

/// The requested chains; reports each unknown chain, each currency that a chain lacks, and each wallet that cannot be the merchant's.
fn new_chains(
    unit: &mut Unit<'_>,
    wanted: Vec<VirtualChain>,
    report: &mut Report,
) -> Outcome<Vec<NewChain>> {
    let mut new = Vec::with_capacity(wanted.len());
    for (place, wanted) in wanted.into_iter().enumerate() {
        let Some(known) = store::chain::find(unit.database, wanted.chain_id)? else {
            report.add_error(
                &format!("chains[{place}].chain_id"),
                Reason::NotSupported,
                chain::UNKNOWN,
            );
            continue;
        };
        if connection::of_chain(unit, known.chain.id)?.is_none() {
            report.add_error(
                &format!("chains[{place}].chain_id"),
                Reason::ChainNotConnected,
                connection::needs(&known.chain.name, known.chain.id),
            );
        }
        for (at, currency) in wanted.currencies.iter().enumerate() {
            if store::chain::asset(unit.database, wanted.chain_id, currency)?.is_none() {
                report.add_error(
                    &format!("chains[{place}].currencies[{at}]"),
                    Reason::NotSupported,
                    format!("{currency} is not supported on {}", known.chain.name),
                );
            }
        }
        let (address, xpub) = (wanted.address.as_ref(), wanted.xpub.as_ref());
        let own = match OwnWallet::given(unit, &known, address, xpub) {
            Ok(own) => own,
            Err(refusal) => {
                refusal.inside(CHAINS, place, report)?;
                None
            }
        };
        new.push(NewChain {
            place,
            chain: known.chain,
            currencies: wanted.currencies,
            own,
            xpub: wanted.xpub,
        });
    }
    Ok(new)
}

/// Whether an account is of this wallet of the merchant's.
fn has_wallet(account: &Account, own: &OwnWallet, xpub: Option<&ExtendedPublicKey>) -> bool {
    let is_at = |wallet: &str| wallet.eq_ignore_ascii_case(own.address.as_str());
    account.own_wallet().is_some_and(is_at) && account.xpub.as_ref() == xpub
}

/// Reports splits on these chains without an account, or with a wallet on none of them.
fn check_destinations(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    (splits, chains): (&[DepositSplit], Vec<ChainId>),
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut families = Vec::with_capacity(chains.len());
    for chain in &chains {
        families.extend(store::chain::find(unit.database, *chain)?.map(|known| known.family));
    }
    for (place, split) in splits.iter().enumerate() {
        let field = |name: &str| format!("deposit_splits[{place}].{name}");
        let key = key_of(split);
        let named = match &key {
            Some(key) => with_a_chain(unit, organisation, key)?,
            None => None,
        };
        // The merchant's own wallet can be paid by address only, as money sent out.
        let meets = |account: &&Account| account.chain_id.is_some_and(|id| chains.contains(&id));
        let mut met = named.iter().flatten().filter(meets);
        if let Some(account) = met.find(|account| !account.is_held()) {
            report.add_error(
                &field(name_of(split)),
                Reason::WalletNotHeld,
                format!(
                    "names account {}, a wallet of your own: name its `address` instead",
                    account.id
                ),
            );
        }
        if named.is_none() && (key.is_some() || split.address.is_none()) {
            report.add_error(
                &field(name_of(split)),
                Reason::ReferenceUnknown,
                "is not a known account",
            );
        }
        let address = split.address.as_ref();
        let wrong = match address.map(|text| text.parse::<WalletAddress>()) {
            None => None,
            Some(Err(error)) => Some(error.to_string()),
            Some(Ok(address)) => (!families.is_empty() && !families.contains(&address.family()))
                .then(|| "is not an address of the account's chains".to_owned()),
        };
        if let Some(message) = wrong {
            report.add_error(&field("address"), Reason::AddressMalformed, message);
        }
    }
    Ok(())
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

/// The field that names a split's target.
fn name_of(split: &DepositSplit) -> &'static str {
    if split.address.is_some() {
        "address"
    } else if split.account_id.is_some() {
        "account_id"
    } else {
        "account_ref"
    }
}

/// Adds the account of a virtual account on a chain; `by` is the author.
fn add_chain(unit: &mut Unit<'_>, (parent, by): (&Account, &str), new: NewChain) -> Outcome<()> {
    let place = new.place;
    let mut report = Report::default();
    if let Err(refusal) = insert_chain(unit, (parent, by), new) {
        refusal.inside(CHAINS, place, &mut report)?;
    }
    Refusal::reported(report)
}

fn insert_chain(unit: &mut Unit<'_>, (parent, by): (&Account, &str), new: NewChain) -> Outcome<()> {
    let chain_id = new.chain.id;
    let connection = connection::connected(unit, chain_id, None)?;
    let (wallet, provider) = match new.own {
        Some(own) => {
            own.refuse_destination(unit, parent, (chain_id, &new.currencies))?;
            (own.address.to_string(), AccountProvider::External)
        }
        None => {
            let others = store::account::chains_of(unit.database, parent.org_id, parent.id)?;
            let wallet = connection.shared_address(unit, chain_id, &others)?;
            (wallet, AccountProvider::Managed)
        }
    };
    let account = NewAccount {
        organisation: parent.org_id,
        reference: parent.reference.clone(),
        name: parent.name.clone(),
        wallet: Some(NewWallet {
            address: wallet.clone(),
            chain: new.chain,
            provider,
            xpub: new.xpub,
        }),
        currencies: new.currencies,
        parent: Some(parent.id),
        deposit_splits: None,
        by: by.to_owned(),
    };
    let account = store::account::insert(unit.database, account, unit.now)?;
    lead_to(unit, connection, &account, (chain_id, &wallet))?;
    record_event(unit, account, EventAction::Created)?;
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
