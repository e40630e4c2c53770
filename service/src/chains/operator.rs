//! The operator's commands for chains and wallets.

use alloy_primitives::{Address, U256};
use settlekit_core::chain::{Asset, Chain, ExplorerUrl, PublicRpcUrl};
use settlekit_core::value::amount::UNITS_MAX;
use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::block::{BlockId, UnconfiguredToken};
pub use super::factory::Factory;
use super::factory::factory;
pub use super::limits::{LimitScope, PayoutLimit, PayoutLimitUse};
pub use super::operator_error::OperatorError;
pub use super::operator_withdrawal::NewWithdrawal;
pub use super::wallets::{HotWallet, NewKey, Unswept, WalletHolding};
use super::{holdings, opening, queue};
use crate::evm::authorization::TokenDomain;
use crate::evm::transaction::Call;
use crate::money::connection;
use crate::random::{Random, Seed};
use crate::secret::context;
use crate::store::connection::Connected;
use crate::store::holding::Holding;
use crate::store::operator_entry::Cause;
use crate::store::outgoing::Purpose;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;
use crate::{Service, store};

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
    /// Whether the chain has the factory of proxy wallets.
    pub has_factory: bool,
    /// The call that deploys the factory, if the chain lacks it and shall have it: the contract to call, and the data.
    pub deploy: Option<(Address, Vec<u8>)>,
    /// Whether the nodes trace transactions.
    pub traces: bool,
    /// Whether transfers are looked for in the nodes' mempools.
    pub mempool: bool,
    /// The most blocks that the nodes take in one request for logs.
    pub log_range: u64,
    /// The block from which the chain is read, somewhat below the latest one: deposits count from the next one on.
    pub head: BlockId,
    /// Wei per gas at that block.
    pub base_fee: u128,
    /// The usual priority fee, in wei per gas.
    pub priority_fee: u128,
    /// The currencies, the native coin among them.
    pub assets: Vec<Asset>,
    /// The domains of the tokens that take transfers signed by their sender (EIP-3009); `None` for others.
    pub domains: Vec<(Currency, Option<TokenDomain>)>,
    /// The balances of the hot wallets at that block, in the smallest units: the operator's own money.
    pub opening: Vec<(Address, Currency, U256)>,
    /// How many transactions of the hot wallets are mined.
    pub counts: Vec<(Address, u64)>,
    /// A block explorer.
    pub explorer: Option<ExplorerUrl>,
    /// A public node, for the wallets of payers.
    pub public_rpc: Option<PublicRpcUrl>,
    /// A test network, whose money has no value.
    pub is_test: bool,
    /// Whether a chain that is connected as a test network may become one whose money has value.
    pub clears_test_network: bool,
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
    /// Whether its factory of proxy wallets is there. Without it, addresses are derived from the hot wallet's seed.
    pub factory: Factory,
    /// Its currencies.
    pub assets: Vec<Asset>,
    /// Whether its money has no value.
    pub is_test: bool,
    /// Tokens that it does not take and that were sent to addresses of the service, the latest first.
    pub unconfigured_tokens: Vec<UnconfiguredToken>,
}

impl Service {
    /// Connects a chain, or replaces the nodes of a connected one, whose latest block stays.
    ///
    /// # Errors
    /// [`OperatorError`] for a sandbox, without a hot wallet, [`OperatorError::CurrencyDiffers`] and
    /// [`OperatorError::IsTestNetwork`].
    pub fn connect_chain(
        &self,
        database: &mut dyn Database,
        new: &NewConnection,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(), OperatorError> {
        self.need_live()?;
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            connect(&mut unit, new)
        })?
    }

    /// Takes another token on a connected chain. Its transfers count from the next block on. The earlier balances of hot wallets, of the
    /// service's other addresses and of the merchants' own wallets are requested when the latest recorded block is settled.
    ///
    /// # Errors
    /// [`OperatorError::NotConnected`] and [`OperatorError::CurrencyDiffers`].
    pub fn add_token(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
        (asset, domain): (&Asset, Option<&TokenDomain>),
        now: Timestamp,
        seed: Seed,
    ) -> Result<(), OperatorError> {
        self.transact(database, |database| {
            let Some(connected) = store::connection::lock(database, chain)? else {
                return Ok(Err(OperatorError::NotConnected(chain)));
            };
            if let Some(differs) = differing(database, chain, std::slice::from_ref(asset))? {
                return Ok(Err(differs));
            }
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            opening::add_token(&mut unit, &connected, asset)?;
            store::token_domain::set(unit.database, (chain, &asset.symbol), domain)?;
            Ok(Ok(()))
        })?
    }

    /// The URLs of the nodes of a connected chain.
    ///
    /// # Errors
    /// [`OperatorError::NotConnected`], and if they cannot be unsealed.
    pub fn nodes_of_chain(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<String>, OperatorError> {
        let unit = Unit::new(self, database, now, Random::new(seed));
        let connected = store::connection::find(unit.database, chain)?;
        let connected = connected.ok_or(OperatorError::NotConnected(chain))?;
        Ok(connection::node_urls(&unit, &connected)?)
    }

    /// Pauses a chain, or resumes it from its latest recorded block.
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

    /// Sets the most in wei that the operator pays the network a day (UTC) for the payers of one organisation; `None` for nothing.
    ///
    /// # Errors
    /// [`OperatorError::NotConnected`].
    pub fn set_payer_fees(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
        per_day: Option<i128>,
        now: Timestamp,
    ) -> Result<(), OperatorError> {
        let is_connected = self.transact(database, |database| {
            if store::connection::lock(database, chain)?.is_none() {
                return Ok(false);
            }
            store::connection::set_payer_fees(database, chain, per_day, now)?;
            Ok(true)
        })?;
        let done = is_connected.then_some(());
        done.ok_or(OperatorError::NotConnected(chain))
    }

    /// Deletes a chain that nobody has used.
    ///
    /// # Errors
    /// [`OperatorError::NotConnected`], [`OperatorError::HasAccounts`], [`OperatorError::GivesPrices`],
    /// [`OperatorError::HasVenue`] and [`OperatorError::IsSending`].
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
            if store::connection::has_price_source(database, chain)? {
                return Ok(Err(OperatorError::GivesPrices(chain)));
            }
            if store::connection::has_venue(database, chain)? {
                return Ok(Err(OperatorError::HasVenue(chain)));
            }
            if store::outgoing_open::is_any(database, chain)? {
                return Ok(Err(OperatorError::IsSending(chain)));
            }
            store::payer_transaction::delete_all(database, chain)?;
            store::outgoing::delete_all(database, chain)?;
            store::authorization::delete_all(database, chain)?;
            store::token_domain::delete_all(database, chain)?;
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
        let mut list = Vec::new();
        for (chain, connected) in connection::connected_chains(database)? {
            list.push(Connection {
                chain: chain.id,
                name: chain.name,
                head: connected.head(),
                confirmations: chain.confirmations_required,
                finality: connected.finality,
                paused: connected.paused,
                factory: factory(database, &connected)?,
                is_test: chain.test_network == Some(true),
                unconfigured_tokens: store::unconfigured_token::list(database, chain.id)?,
                assets: chain.assets,
            });
        }
        Ok(list)
    }
}

/// The currency of a chain that some others contradict, if any. Money on a chain is known by its currency.
fn differing(
    database: &mut dyn Database,
    chain: ChainId,
    assets: &[Asset],
) -> Result<Option<OperatorError>, StoreError> {
    let contract = |asset: &Asset| asset.token_address.as_deref().map(str::to_ascii_lowercase);
    let differs = |known: &Asset, new: &Asset| {
        let is_same = contract(known) == contract(new);
        match known.symbol == new.symbol {
            true => !is_same || known.scale != new.scale,
            false => is_same,
        }
    };
    let known = store::chain::assets(database, chain)?;
    let mut known = known.into_iter();
    let found = known.find(|known| assets.iter().any(|new| differs(known, new)));
    Ok(found.map(|known| OperatorError::CurrencyDiffers(chain, known)))
}

fn connect(
    unit: &mut Unit<'_>,
    new: &NewConnection,
) -> Result<Result<(), OperatorError>, StoreError> {
    let Some(wallet) = store::wallet::current_wallet(unit.database)? else {
        return Ok(Err(OperatorError::NoWallet));
    };
    let chain = new.chain.id;
    if !new.has_factory && new.deploy.is_none() && wallet.is_external {
        return Ok(Err(OperatorError::NoFactory(chain)));
    }
    let urls = serde_json::to_vec(&new.providers)
        .map_err(|error| StoreError::Broken(format!("URLs cannot be written: {error}")))?;
    let fee = |fee: u128| holdings::units(U256::from(fee)).unwrap_or(UNITS_MAX);
    let connected = Connected {
        chain,
        providers: unit.seal(&context::providers(chain), &urls)?,
        traces: new.traces,
        mempool: new.mempool,
        log_range: new.log_range,
        paused: false,
        has_factory: new.has_factory,
        first_block: new.head.number.saturating_add(1),
        block: new.head.number,
        block_hash: new.head.hash,
        finality: new.finality,
        settled: (new.head.number).saturating_sub(u64::from(new.confirmations.max(1)) - 1),
        base_fee: fee(new.base_fee),
        priority_fee: fee(new.priority_fee),
        payer_fees_per_day: None,
        clock_lag: None,
    };
    let known = store::chain::StoredChain {
        chain: new.chain.clone(),
        family: settlekit_core::value::address::Family::Evm,
        confirmations_required: new.confirmations,
        block_seconds: new.block_seconds,
        explorer_url: new.explorer.as_ref().map(ToString::to_string),
        public_rpc_url: new.public_rpc.as_ref().map(ToString::to_string),
        is_test: new.is_test,
    };
    let before = store::connection::lock(unit.database, chain)?;
    if before.is_some()
        && let Some(differs) = differing(unit.database, chain, &new.assets)?
    {
        return Ok(Err(differs));
    }
    // An option that was left out must not turn test money into real money: accounts on the chain may have taken it.
    if before.is_some()
        && !new.is_test
        && !new.clears_test_network
        && store::chain::find(unit.database, chain)?.is_some_and(|stored| stored.is_test)
    {
        return Ok(Err(OperatorError::IsTestNetwork(chain)));
    }
    store::chain::upsert(unit.database, &known)?;
    match &before {
        Some(before) => {
            store::connection::set_nodes(unit.database, &connected, unit.now)?;
            for asset in &new.assets {
                opening::add_token(unit, before, asset)?;
            }
        }
        None => {
            // The currencies that a database knows from the start are examples for the sandbox.
            store::chain::delete_assets(unit.database, chain)?;
            store::token_domain::delete_all(unit.database, chain)?;
            store::connection::insert(unit.database, &connected, unit.now)?;
            open_wallets(unit, new)?;
            for (address, count) in &new.counts {
                if let Some(latest) = count.checked_sub(1) {
                    store::wallet::skip_nonce(unit.database, (*address, chain), latest)?;
                }
            }
        }
    }
    for (currency, domain) in &new.domains {
        store::token_domain::set(unit.database, (chain, currency), domain.as_ref())?;
    }
    for asset in &new.assets {
        store::chain::insert_asset(unit.database, chain, asset)?;
        // Proxies and derived addresses have the same address on every chain: somebody may have paid them on this one.
        if before.is_none() {
            let of = (chain, &asset.symbol);
            store::token_opening::insert_others(unit.database, of, new.head.number, unit.now)?;
        }
    }
    if let Some((to, data)) = &new.deploy
        && !store::outgoing_open::is_deploying(unit.database, chain)?
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
    Ok(Ok(()))
}

/// Enters the balances of the hot wallets before the first block.
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
        store::operator_entry::insert(unit.database, at, &change, why, unit.now)?;
    }
    Ok(())
}
