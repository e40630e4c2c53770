//! Compares the books with the chain: the expected balance of each address at the latest settled block.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use alloy_primitives::{Address, B256};
use settlekit_core::account::Account;
use settlekit_core::chain::{Asset, ChainDetail};
use settlekit_core::installation::ChainComparison;
use settlekit_core::value::{AccountId, ChainId, Currency, OrganisationId, Timestamp};

use super::followed::hot_wallets;
use crate::store;
use crate::store::sql::{Access, Database, StoreError, transaction};
use crate::{Service, money};

/// A merchant's own wallet is usually read within minutes. Any merchant can connect one just before a comparison.
const READ_WITHIN: Duration = Duration::from_secs(60 * 60);

/// The expected balances on a chain.
#[derive(Debug, Clone)]
pub struct Expected {
    /// The chain.
    pub chain: ChainId,
    /// Its name.
    pub name: String,
    /// Whether its money has no value.
    pub is_test: bool,
    /// Whether the chain is paused: its nodes are not asked.
    pub is_paused: bool,
    /// The latest settled block; `None` before the first.
    pub block: Option<u64>,
    /// Its hash, unless it is too old to be recorded.
    pub hash: Option<B256>,
    /// The expected balance of each proxy, hot wallet and merchant's own wallet at that block: mostly zero.
    pub holdings: Vec<ExpectedHolding>,
    /// The merchants' own wallets whose balance differs from the books.
    pub wallets: Vec<WalletDifference>,
    /// The sums of each currency.
    pub sums: Vec<Sums>,
    /// Balances that are not compared, because their opening balance is not read yet. For a merchant's own wallet with the creation time
    /// of its account.
    pub unread: BTreeMap<Unread, Option<Timestamp>>,
}

impl Expected {
    /// What should have been read by a time.
    pub fn overdue(&self, now: Timestamp) -> Vec<&Unread> {
        self.unread_by(now, false)
    }

    /// What merchants have connected too recently for it to be read by a time.
    pub fn recent(&self, now: Timestamp) -> Vec<&Unread> {
        self.unread_by(now, true)
    }

    fn unread_by(&self, now: Timestamp, is_recent: bool) -> Vec<&Unread> {
        let recent =
            |since: &Option<Timestamp>| since.is_some_and(|since| now.since(since) < READ_WITHIN);
        let unread = self.unread.iter();
        let unread = unread.filter(|(_, since)| recent(since) == is_recent);
        unread.map(|(unread, _)| unread).collect()
    }
}

/// A balance in a currency that the books do not know yet.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unread {
    /// Of an address on the chain.
    Address(Address, Currency),
    /// Of an account of a merchant's own wallet.
    Account(AccountId, Currency),
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Address(address, currency) => write!(f, "{currency} of {address}"),
            Self::Account(account, currency) => write!(f, "{currency} of account {account}"),
        }
    }
}

/// The expected balance of an address.
#[derive(Debug, Clone)]
pub struct ExpectedHolding {
    /// The proxy, hot wallet or merchant's own wallet.
    pub address: Address,
    /// The currency on the chain.
    pub asset: Asset,
    /// In its smallest unit.
    pub units: i128,
}

/// An account of a merchant's own wallet with other books than its holdings.
#[derive(Debug, Clone)]
pub struct WalletDifference {
    /// The account.
    pub account: AccountId,
    /// The currency on the chain.
    pub asset: Asset,
    /// The balance of the wallet and of the account's other addresses, in the smallest unit.
    pub held: i128,
    /// The balance in the ledger.
    pub booked: i128,
}

/// The sums of a currency, in its smallest unit. `held` must equal `owed` and the operator's own.
#[derive(Debug, Clone)]
pub struct Sums {
    /// The currency on the chain.
    pub asset: Asset,
    /// The balance of hot wallets, of derived addresses, and of proxies that pay into hot wallets.
    pub held: i128,
    /// The ledger's debt to merchants, and the service's revenue.
    pub owed: i128,
    /// The operator's deposits for network fees, less the fees, and the amounts that trades at exchange accounts moved.
    pub operator: i128,
    /// The amount that trades at exchange accounts gave to merchants and that the operator did not have.
    pub overdrawn: i128,
}

impl Sums {
    /// The deficit; negative for a surplus.
    pub fn missing(&self) -> i128 {
        self.owed
            .saturating_add(self.operator)
            .saturating_add(self.overdrawn)
            .saturating_sub(self.held)
    }
}

impl Service {
    /// The expected balances on each connected chain, for a comparison with its nodes. In one snapshot.
    ///
    /// # Errors
    /// If the database failed.
    pub fn expected_holdings(
        &self,
        database: &mut dyn Database,
    ) -> Result<Vec<Expected>, StoreError> {
        transaction(database, Access::Read, expected)
    }

    /// Records the result of a comparison, for the operators.
    ///
    /// # Errors
    /// If the database failed.
    pub fn record_comparison(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
        comparison: &ChainComparison,
    ) -> Result<(), StoreError> {
        self.transact(database, |database| {
            // The chain may have been disconnected since.
            if store::connection::find(database, chain)?.is_none() {
                return Ok(());
            }
            store::chain_report::set_comparison(database, chain, comparison)
        })
    }
}

fn expected(database: &mut dyn Database) -> Result<Vec<Expected>, StoreError> {
    money::connection::connected_chains(database)?
        .into_iter()
        .map(|(chain, connected)| {
            let mut holdings = Vec::new();
            let mut sums = Vec::new();
            let at = store::holding::all_holdings(database, chain.id)?;
            let addresses: Vec<Address> = at.iter().map(|held| held.address).collect();
            let mut own = store::proxy::to_others(database, &addresses)?;
            own.extend(store::watched_address::all(database, chain.id)?);
            let own_wallets = OwnWallets::read(database, chain.id)?;
            let unknown = own_wallets.unknown(database, chain.id)?;
            let added = store::token_opening::all(database, chain.id)?;
            let mut unread = BTreeMap::new();
            let wallets = own_wallets.differences(database, &chain, &added, &mut unread)?;
            let of_wallets = unknown.iter().flat_map(|(address, since)| {
                let assets = chain.assets.iter();
                assets.map(|asset| {
                    (
                        Unread::Address(*address, asset.symbol.clone()),
                        Some(*since),
                    )
                })
            });
            unread.extend(of_wallets);
            let of_tokens = added.iter().cloned();
            unread.extend(
                of_tokens.map(|(address, currency)| (Unread::Address(address, currency), None)),
            );
            let followed = followed(database, addresses, own_wallets.addresses())?;
            for asset in chain.assets.clone() {
                let of_currency = at.iter().filter(|held| held.currency == asset.symbol);
                let of_currency: HashMap<Address, i128> =
                    of_currency.map(|held| (held.address, held.units)).collect();
                let mut held = 0_i128;
                for address in &followed {
                    let units = of_currency.get(address).copied().unwrap_or(0);
                    if !own.contains(address) {
                        held = held.saturating_add(units);
                    }
                    // The balance before is not known yet.
                    if unknown.contains_key(address)
                        || added.contains(&(*address, asset.symbol.clone()))
                    {
                        continue;
                    }
                    holdings.push(ExpectedHolding {
                        address: *address,
                        asset: asset.clone(),
                        units,
                    });
                }
                let currency: &Currency = &asset.symbol;
                sums.push(Sums {
                    held,
                    owed: store::ledger::held_on_chain(database, chain.id, currency)?,
                    operator: store::operator_money::on_chain(database, chain.id, currency)?,
                    overdrawn: store::operator_money::overdrawn(database, chain.id, currency)?,
                    asset,
                });
            }
            // The blocks before the first recorded one are not the service's.
            let block = Some(connected.settled).filter(|block| *block >= connected.first_block);
            let recorded = store::connection::find_block(database, chain.id, connected.settled)?;
            Ok(Expected {
                chain: chain.id,
                name: chain.name,
                is_test: chain.test_network == Some(true),
                is_paused: connected.paused,
                block,
                hash: recorded.map(|recorded| recorded.hash),
                holdings,
                wallets,
                sums,
                unread,
            })
        })
        .collect()
}

/// The accounts of merchants' own wallets. Wallets of deleted accounts are still watched.
struct OwnWallets {
    accounts: Vec<Account>,
    /// Accounts whose opening balance is not read yet.
    open: HashSet<(OrganisationId, AccountId)>,
}

impl OwnWallets {
    fn read(database: &mut dyn Database, chain: ChainId) -> Result<Self, StoreError> {
        Ok(Self {
            accounts: store::account::own_wallets(database, chain)?,
            open: store::opening::accounts(database, chain)?,
        })
    }

    fn is_open(&self, account: &Account) -> bool {
        self.open.contains(&(account.org_id, account.id))
    }

    fn addresses(&self) -> Vec<Address> {
        self.accounts.iter().filter_map(address_of).collect()
    }

    /// The wallets whose balance is not known, each with the creation of its first account that waits for it. Another account of a known
    /// wallet, which any merchant can create, makes it no less known.
    fn unknown(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
    ) -> Result<HashMap<Address, Timestamp>, StoreError> {
        let mut unknown = store::opening::wallets(database, chain)?;
        let known = self
            .accounts
            .iter()
            .filter(|account| !self.is_open(account));
        for address in known.filter_map(address_of) {
            unknown.remove(&address);
        }
        Ok(unknown)
    }

    /// The differences between the books of own wallets and their holdings. The balances that can't be compared are added to `unread`.
    fn differences(
        &self,
        database: &mut dyn Database,
        chain: &ChainDetail,
        added: &HashSet<(Address, Currency)>,
        unread: &mut BTreeMap<Unread, Option<Timestamp>>,
    ) -> Result<Vec<WalletDifference>, StoreError> {
        // The wallets' balances in these are not known yet.
        let unknown: HashSet<&Currency> = added.iter().map(|(_, currency)| currency).collect();
        let mut differences = Vec::new();
        for account in &self.accounts {
            let owner = (account.org_id, account.id);
            if account.deleted_at.is_some() {
                continue;
            }
            let is_open = self.is_open(account);
            let booked = store::ledger::balances(database, owner.0, Some(owner.1))?;
            for asset in &chain.assets {
                let is_added = unknown.contains(&asset.symbol);
                if is_open || is_added {
                    let since = (!is_added).then_some(account.created_at);
                    unread.insert(Unread::Account(account.id, asset.symbol.clone()), since);
                    continue;
                }
                let held = store::holding::of_account(database, chain.id, owner, &asset.symbol)?;
                let mut booked = booked.iter();
                let booked = booked
                    .find(|booked| booked.currency == asset.symbol)
                    .map_or(0, |booked| booked.posted);
                if held != booked {
                    differences.push(WalletDifference {
                        account: account.id,
                        asset: asset.clone(),
                        held,
                        booked,
                    });
                }
            }
        }
        Ok(differences)
    }
}

/// The address of an own wallet, and the first one of an extended public key.
fn address_of(account: &Account) -> Option<Address> {
    account.own_wallet()?.parse().ok()
}

/// The followed addresses: every address with holdings, and all proxies, derived addresses, hot wallets and own wallets. An empty one has
/// no holding, and a node could hide its first transfer. The other addresses of an extended public key may hold money from before they
/// were handed out, which the books don't know.
fn followed(
    database: &mut dyn Database,
    holding: Vec<Address>,
    own_wallets: Vec<Address>,
) -> Result<Vec<Address>, StoreError> {
    let mut followed = holding;
    followed.extend(own_wallets);
    followed.extend(store::proxy::addresses(database)?);
    followed.extend(store::derived_address::addresses(database)?);
    followed.extend(hot_wallets(database)?);
    followed.sort_unstable();
    followed.dedup();
    Ok(followed)
}
