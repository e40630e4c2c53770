//! Payment cycles. Automatic payouts of an account, by deposit shares or an automation, must not return to it, directly or
//! through other accounts that pay out automatically: network fees would consume the money.

use std::collections::BTreeSet;

use settlekit_core::account::{Account, DepositSplit};
use settlekit_core::value::{AccountId, ChainId, Currency, OrganisationId};

use super::on_chain;
use super::split::{key_of, splits_of};
use crate::store;
use crate::store::automation::Action;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// How money moves on a chain.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Flow {
    /// On-chain, to an address in lower case: it arrives as a deposit.
    Address(String),
    /// To another account by transfer, which triggers no shares.
    Account(AccountId),
}

impl Flow {
    pub(crate) fn to_address(address: &str) -> Self {
        Self::Address(address.to_ascii_lowercase())
    }

    /// The way of a share on a chain, if it has one.
    fn of_share(
        unit: &mut Unit<'_>,
        organisation: OrganisationId,
        split: &DepositSplit,
        chain: ChainId,
    ) -> Result<Option<Self>, StoreError> {
        if let Some(address) = &split.address {
            return Ok(Some(Self::to_address(address)));
        }
        let Some(key) = key_of(split) else {
            return Ok(None);
        };
        let target = on_chain(unit, organisation, &key, chain)?;
        Ok(target.map(|target| Self::Account(target.id)))
    }
}

/// The targets that close a cycle.
struct CycleTarget<'a> {
    accounts: &'a [AccountId],
    /// A transfer closes the cycle too, not only a deposit: automations act on any balance, shares on deposits only.
    by_any_way: bool,
    address: Option<Flow>,
}

/// Whether a payout of these accounts' automations to an address, in one of these currencies, returns to one of them.
pub(crate) fn is_cyclic_destination(
    unit: &mut Unit<'_>,
    accounts: &[&Account],
    address: &str,
    currencies: &[Currency],
) -> Result<bool, StoreError> {
    let first = |_: &mut Unit<'_>, _| Ok(Some(Flow::to_address(address)));
    returns_to_first(unit, (accounts, true), currencies, first)
}

/// Whether a share of a deposit of these accounts returns to one of them as a deposit.
pub(super) fn share_returns(
    unit: &mut Unit<'_>,
    accounts: &[&Account],
    split: &DepositSplit,
    currencies: &[Currency],
) -> Result<bool, StoreError> {
    let Some(organisation) = accounts.first().map(|account| account.org_id) else {
        return Ok(false);
    };
    let first = |unit: &mut Unit<'_>, chain| Flow::of_share(unit, organisation, split, chain);
    returns_to_first(unit, (accounts, false), currencies, first)
}

fn returns_to_first(
    unit: &mut Unit<'_>,
    (accounts, by_any_way): (&[&Account], bool),
    currencies: &[Currency],
    first: impl Fn(&mut Unit<'_>, ChainId) -> Result<Option<Flow>, StoreError>,
) -> Result<bool, StoreError> {
    let ids: Vec<AccountId> = accounts.iter().map(|account| account.id).collect();
    let end = CycleTarget {
        accounts: &ids,
        by_any_way,
        address: None,
    };
    for account in accounts {
        let Some(chain) = account.chain_id else {
            continue;
        };
        let Some(way) = first(unit, chain)? else {
            continue;
        };
        for currency in currencies {
            let on = (account.org_id, chain, currency);
            if arrives(unit, on, &end, vec![way.clone()])? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether automatic payouts of a parent would arrive at the address of an account once that is its sub-account.
pub(super) fn would_return(
    unit: &mut Unit<'_>,
    parent: &Account,
    (chain, address): (ChainId, &str),
    currencies: &[Currency],
) -> Result<bool, StoreError> {
    let end = CycleTarget {
        accounts: &[],
        by_any_way: false,
        address: Some(Flow::to_address(address)),
    };
    for currency in currencies {
        let on = (parent.org_id, chain, currency);
        let mut first = by_rules(unit, parent, currency)?;
        for split in parent.deposit_splits.iter().flatten() {
            first.extend(Flow::of_share(unit, parent.org_id, split, chain)?);
        }
        if arrives(unit, on, &end, first)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether money on one of these ways is forwarded automatically until it closes the cycle.
fn arrives(
    unit: &mut Unit<'_>,
    (organisation, chain, currency): (OrganisationId, ChainId, &Currency),
    end: &CycleTarget<'_>,
    mut ways: Vec<Flow>,
) -> Result<bool, StoreError> {
    let mut gone = BTreeSet::new();
    while let Some(way) = ways.pop() {
        if end.address.as_ref() == Some(&way) {
            return Ok(true);
        }
        let id = match &way {
            Flow::Address(address) => {
                store::account::account_of_address(unit.database, organisation, (chain, address))?
            }
            Flow::Account(id) => Some(*id),
        };
        let is_deposit = matches!(way, Flow::Address(_));
        let Some(id) = id.filter(|_| gone.insert(way)) else {
            continue;
        };
        if end.accounts.contains(&id) && (is_deposit || end.by_any_way) {
            return Ok(true);
        }
        // Money of other organisations is not followed: their automations are not this one's to know.
        let Some(account) = store::account::LISTING.find(unit.database, organisation, id)? else {
            continue;
        };
        ways.extend(by_rules(unit, &account, currency)?);
        if let Some(parent) = account.parent_id
            && let Some(parent) =
                store::account::LISTING.find(unit.database, organisation, parent)?
        {
            ways.extend(by_rules(unit, &parent, currency)?);
        }
        if is_deposit {
            for split in splits_of(unit, &account)? {
                ways.extend(Flow::of_share(unit, organisation, &split, chain)?);
            }
        }
    }
    Ok(false)
}

/// The ways of a currency by an account's automations.
fn by_rules(
    unit: &mut Unit<'_>,
    account: &Account,
    currency: &Currency,
) -> Result<Vec<Flow>, StoreError> {
    let rules = store::automation::rules(unit.database, account.org_id, account.id)?;
    let rules = rules.iter().map(|(_, rule)| rule);
    let of_currency = rules.filter(|rule| rule.currency == *currency);
    let addresses = of_currency.filter_map(|rule| match &rule.action {
        Action::PayOut { address, .. } => Some(address),
        Action::Convert { .. } => None,
    });
    Ok(addresses
        .map(|address| Flow::to_address(address.as_str()))
        .collect())
}
