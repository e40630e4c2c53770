//! What the operator of an installation does with chains and wallets, from the command line.

use alloy_primitives::{Address, U256};
use settlekit_core::chain::{Asset, Chain};
use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::block::BlockId;
use super::{holdings, queue};
use crate::evm::key::{Key, Seed as WalletSeed, Words};
use crate::evm::transaction::Call;
use crate::mode::Mode;
use crate::money::connection;
use crate::random::{Random, Seed};
use crate::secret::context;
use crate::store::connection::Connected;
use crate::store::holding::{Cause, Holding};
use crate::store::outgoing::Purpose;
use crate::store::sql::{Database, StoreError};
use crate::store::wallet::Wallet;
use crate::unit::Unit;
use crate::{Service, store};

/// Why an operator's command was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperatorError {
    /// The database is a sandbox, where chains are simulated.
    Sandbox,
    /// There is no hot wallet.
    NoWallet,
    /// There is a hot wallet in use.
    WalletExists(Address),
    /// The chain is not connected.
    NotConnected(ChainId),
    /// The chain has accounts, whose money would no longer be followed.
    HasAccounts(ChainId),
    /// Transactions of the chain are not final.
    IsSending(ChainId),
    /// The database failed.
    Store(StoreError),
}

impl std::fmt::Display for OperatorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sandbox => f.write_str(
                "the database is a sandbox, whose chains are simulated: use a live database",
            ),
            Self::NoWallet => f.write_str(
                "there is no hot wallet: create one with `settlekit wallet create` first",
            ),
            Self::WalletExists(address) => write!(
                f,
                "there is a hot wallet in use, {address}: `settlekit wallet rotate` replaces it"
            ),
            Self::NotConnected(chain) => write!(f, "chain {chain} is not connected"),
            Self::HasAccounts(chain) => write!(
                f,
                "chain {chain} has accounts, whose deposits would be missed: pause it instead"
            ),
            Self::IsSending(chain) => write!(
                f,
                "transactions on chain {chain} are not final yet: try again when they are"
            ),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OperatorError {}

impl From<StoreError> for OperatorError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A chain to connect, as its nodes and the operator describe it.
#[derive(Debug, Clone)]
pub struct NewConnection {
    /// The chain, with its name and native coin.
    pub chain: Chain,
    /// Confirmations after which a block is settled; with `finality`, about how many there are then.
    pub confirmations: u32,
    /// Whether a block is settled when the nodes call it final.
    pub finality: bool,
    /// Seconds between two blocks.
    pub block_seconds: u32,
    /// The URLs of the nodes, the first preferred.
    pub providers: Vec<String>,
    /// The call that deploys the factory of proxy wallets, unless the chain has it: the contract to call, and the data.
    pub deploy: Option<(Address, Vec<u8>)>,
    /// Whether the nodes trace transactions.
    pub traces: bool,
    /// The most blocks that the nodes take in one request for logs.
    pub log_range: u64,
    /// The latest block: deposits count from the next one on.
    pub head: BlockId,
    /// Wei per gas at that block.
    pub base_fee: u128,
    /// The usual priority fee, in wei per gas.
    pub priority_fee: u128,
    /// The currencies, the native coin among them.
    pub assets: Vec<Asset>,
    /// What lies in the hot wallets at the latest block, in the smallest units: the operator's own money.
    pub opening: Vec<(Address, Currency, U256)>,
    /// How many transactions of the hot wallets are mined.
    pub counts: Vec<(Address, u64)>,
}

/// A connection, for the operator.
#[derive(Debug, Clone)]
pub struct Connection {
    /// The chain.
    pub chain: ChainId,
    /// Its name.
    pub name: String,
    /// The latest recorded block.
    pub head: BlockId,
    /// Confirmations after which a block is settled; with `finality`, about how many there are then.
    pub confirmations: u32,
    /// Whether a block is settled when the nodes call it final.
    pub finality: bool,
    /// Neither read nor paid on.
    pub paused: bool,
    /// Its currencies.
    pub assets: Vec<Asset>,
}

/// A hot wallet, for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HotWallet {
    /// The address, the same on every EVM chain.
    pub address: Address,
    /// When another one replaced it.
    pub retired_at: Option<Timestamp>,
    /// What lies there by the settled transfers: chain, currency, units.
    pub holdings: Vec<(ChainId, Currency, i128)>,
}

impl Service {
    /// Creates the hot wallet from new words, which are shown once.
    ///
    /// # Errors
    /// [`OperatorError`] for a sandbox, and if there is a hot wallet.
    pub fn create_wallet(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(Address, Words), OperatorError> {
        let words = Words::generate(&Random::new(seed).bytes());
        let address = self.import_wallet(database, &words, now, seed)?;
        Ok((address, words))
    }

    /// Imports the hot wallet from its words.
    ///
    /// # Errors
    /// As [`Service::create_wallet`].
    pub fn import_wallet(
        &self,
        database: &mut dyn Database,
        words: &Words,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Address, OperatorError> {
        self.need_live()?;
        let opened = words.seed();
        let made = self.transact(database, |database| {
            // The words of a new wallet came from the first bytes.
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            let _words = unit.random.bytes::<32>();
            if let Some(wallet) = store::wallet::current(unit.database)? {
                return Ok(Err(wallet.address));
            }
            insert_wallet(&mut unit, &opened, 0).map(Ok)
        })?;
        made.map_err(OperatorError::WalletExists)
    }

    /// The hot wallets, oldest first.
    ///
    /// # Errors
    /// If the database failed.
    pub fn wallets(&self, database: &mut dyn Database) -> Result<Vec<HotWallet>, StoreError> {
        let chains = store::connection::all(database)?;
        let mut wallets = Vec::new();
        for wallet in store::wallet::all(database)? {
            let mut holdings = Vec::new();
            for connected in &chains {
                let at = store::holding::at(database, connected.chain, wallet.address)?;
                let at = at.into_iter();
                holdings.extend(at.map(|held| (connected.chain, held.currency, held.units)));
            }
            wallets.push(HotWallet {
                address: wallet.address,
                retired_at: wallet.retired_at,
                holdings,
            });
        }
        Ok(wallets)
    }

    /// Connects a chain, or replaces the nodes of a connected one, whose latest block stays.
    ///
    /// # Errors
    /// [`OperatorError`] for a sandbox, and without a hot wallet.
    pub fn connect_chain(
        &self,
        database: &mut dyn Database,
        new: &NewConnection,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(), OperatorError> {
        self.need_live()?;
        let has_wallet = self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            connect(&mut unit, new)
        })?;
        has_wallet.then_some(()).ok_or(OperatorError::NoWallet)
    }

    /// Pauses a chain, or goes on with it from its latest recorded block.
    ///
    /// # Errors
    /// [`OperatorError::NotConnected`].
    pub fn set_chain_paused(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
        paused: bool,
        now: Timestamp,
    ) -> Result<(), OperatorError> {
        let is_connected = self.transact(database, |database| {
            if store::connection::lock(database, chain)?.is_none() {
                return Ok(false);
            }
            store::connection::set_paused(database, chain, paused, now)?;
            Ok(true)
        })?;
        let done = is_connected.then_some(());
        done.ok_or(OperatorError::NotConnected(chain))
    }

    /// Forgets a chain that nobody has used.
    ///
    /// # Errors
    /// [`OperatorError::NotConnected`], [`OperatorError::HasAccounts`] and [`OperatorError::IsSending`].
    pub fn disconnect_chain(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
    ) -> Result<(), OperatorError> {
        self.transact(database, |database| {
            if store::connection::lock(database, chain)?.is_none() {
                return Ok(Err(OperatorError::NotConnected(chain)));
            }
            if store::account::is_any_on(database, chain)? {
                return Ok(Err(OperatorError::HasAccounts(chain)));
            }
            if store::outgoing::is_any_open(database, chain)? {
                return Ok(Err(OperatorError::IsSending(chain)));
            }
            store::outgoing::delete_all(database, chain)?;
            store::holding::delete_all(database, chain)?;
            store::connection::delete(database, chain)?;
            Ok(Ok(()))
        })?
    }

    /// The connected chains, by id.
    ///
    /// # Errors
    /// If the database failed.
    pub fn connected_chains(
        &self,
        database: &mut dyn Database,
    ) -> Result<Vec<Connection>, StoreError> {
        let list = connection::connected_chains(database)?.into_iter();
        let list = list.map(|(chain, connected)| Connection {
            chain: chain.id,
            name: chain.name,
            head: connected.head(),
            confirmations: chain.confirmations_required,
            finality: connected.finality,
            paused: connected.paused,
            assets: chain.assets,
        });
        Ok(list.collect())
    }

    fn need_live(&self) -> Result<(), OperatorError> {
        match self.options().mode {
            Mode::Live => Ok(()),
            Mode::Sandbox => Err(OperatorError::Sandbox),
        }
    }
}

fn insert_wallet(
    unit: &mut Unit<'_>,
    opened: &WalletSeed,
    index: u32,
) -> Result<Address, StoreError> {
    let key = Key::derive(opened, index)
        .ok_or_else(|| StoreError::Broken("the index of a wallet has no key".to_owned()))?;
    let address = key.address();
    let wallet = Wallet {
        address,
        seed: unit.seal(&context::wallet(&format!("{address:#x}")), opened)?,
        derivation_index: index,
        retired_at: None,
    };
    store::wallet::insert(unit.database, &wallet, unit.now)?;
    Ok(address)
}

/// False without a hot wallet.
fn connect(unit: &mut Unit<'_>, new: &NewConnection) -> Result<bool, StoreError> {
    let Some(wallet) = store::wallet::current(unit.database)? else {
        return Ok(false);
    };
    let chain = new.chain.id;
    let urls = serde_json::to_vec(&new.providers)
        .map_err(|error| StoreError::Broken(format!("URLs cannot be written: {error}")))?;
    let fee = |fee: u128| i128::try_from(fee).unwrap_or(i128::MAX);
    let connected = Connected {
        chain,
        providers: unit.seal(&context::providers(chain), &urls)?,
        traces: new.traces,
        log_range: new.log_range,
        paused: false,
        first_block: new.head.number.saturating_add(1),
        block: new.head.number,
        block_hash: new.head.hash,
        finality: new.finality,
        settled: (new.head.number).saturating_sub(u64::from(new.confirmations.max(1)) - 1),
        base_fee: fee(new.base_fee),
        priority_fee: fee(new.priority_fee),
    };
    let known = store::chain::Known {
        chain: new.chain.clone(),
        family: settlekit_core::value::address::Family::Evm,
        confirmations_required: new.confirmations,
        block_seconds: new.block_seconds,
    };
    store::chain::upsert(unit.database, &known)?;
    match store::connection::lock(unit.database, chain)? {
        Some(_) => store::connection::set_nodes(unit.database, &connected, unit.now)?,
        None => {
            // The currencies that a database knows from the start are examples for the sandbox.
            store::chain::delete_assets(unit.database, chain)?;
            store::connection::insert(unit.database, &connected, unit.now)?;
            open_wallets(unit, new)?;
            for (address, count) in &new.counts {
                if let Some(latest) = count.checked_sub(1) {
                    store::wallet::skip_nonce(unit.database, (*address, chain), latest)?;
                }
            }
        }
    }
    for asset in &new.assets {
        store::chain::insert_asset(unit.database, chain, asset)?;
    }
    if let Some((to, data)) = &new.deploy
        && !store::outgoing::is_sweeping(unit.database, chain, unit.now)?
    {
        let call = Call {
            to: *to,
            value: U256::ZERO,
            data: data.clone().into(),
        };
        let sender = (chain, wallet.address);
        let native = &new.chain.native_currency_symbol;
        queue::add(unit, sender, Purpose::Deploy, &call, (native, 0))?;
    }
    Ok(true)
}

/// Enters what lay in the hot wallets before the first block.
fn open_wallets(unit: &mut Unit<'_>, new: &NewConnection) -> Result<(), StoreError> {
    let chain = new.chain.id;
    for (address, currency, balance) in &new.opening {
        let units = holdings::units(*balance)
            .ok_or_else(|| StoreError::Broken("a balance is too large".to_owned()))?;
        let change = Holding {
            address: *address,
            currency: currency.clone(),
            units,
        };
        store::holding::add(unit.database, chain, &change, unit.now)?;
        let at = (chain, new.head.number);
        let why = (Cause::Opening, new.head.hash);
        store::holding::insert_operator_entry(unit.database, at, &change, why, unit.now)?;
    }
    Ok(())
}
