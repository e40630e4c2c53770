//! Virtual accounts: one reference for a parent without chain and one account per chain below it.

use std::collections::BTreeSet;

use settlekit_core::account::{Account, AccountProvider, AccountType, DepositSplit, VirtualChain};
use settlekit_core::chain::Chain;
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::validate::Report;
use settlekit_core::value::{
    AccountId, ChainId, Currency, ExtendedPublicKey, OrganisationId, WalletAddress,
};

use super::own_wallet::{OwnWallet, assign_address};
use super::split::key_of;
use super::{record_event, with_a_chain};
use crate::money::connection;
use crate::resources::chain;
use crate::store;
use crate::store::account::{NewAccount, NewWallet};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// The field that lists the chains of a request.
const CHAINS: &str = "chains";

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

pub(super) fn currencies_of<'a>(
    lists: impl IntoIterator<Item = &'a Vec<Currency>>,
) -> Vec<Currency> {
    let all: BTreeSet<&Currency> = lists.into_iter().flatten().collect();
    all.into_iter().cloned().collect()
}

/// A requested chain.
pub(super) struct NewChain {
    /// Its place in the request.
    pub(super) place: usize,
    pub(super) chain: Chain,
    pub(super) currencies: Vec<Currency>,
    /// The merchant's own wallet there; without it the service holds the money.
    pub(super) own: Option<OwnWallet>,
    pub(super) xpub: Option<ExtendedPublicKey>,
}

/// The requested chains; reports each unknown chain, each currency that a chain lacks, and each wallet that cannot be the merchant's.
pub(super) fn new_chains(
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

/// Reports splits on these chains without an account, or with a wallet on none of them.
pub(super) fn check_destinations(
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

/// The field that names a split's target.
pub(super) fn name_of(split: &DepositSplit) -> &'static str {
    if split.address.is_some() {
        "address"
    } else if split.account_id.is_some() {
        "account_id"
    } else {
        "account_ref"
    }
}

/// Adds the account of a virtual account on a chain; `by` is the author.
pub(super) fn add_chain(
    unit: &mut Unit<'_>,
    (parent, by): (&Account, &str),
    new: NewChain,
) -> Outcome<()> {
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
    assign_address(unit, connection, &account, (chain_id, &wallet))?;
    record_event(unit, account, EventAction::Created)?;
    Ok(())
}
