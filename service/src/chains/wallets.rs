//! The operator's commands for hot wallets.

use alloy_primitives::Address;
use settlekit_core::chain::Asset;
use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::factory::{Factory, factory};
use super::operator_error::OperatorError;
use crate::evm::key::{Key, Seed as WalletSeed, Words};
use crate::money::connection;
use crate::random::{Random, Seed};
use crate::secret::context;
use crate::store::sql::{Database, StoreError};
use crate::store::wallet::Wallet;
use crate::unit::Unit;
use crate::{Service, store};

/// A hot wallet, for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HotWallet {
    /// The address, the same on every EVM chain.
    pub address: Address,
    /// An external signer has its key.
    pub is_external: bool,
    /// The index of its key in the seed's path.
    pub derivation_index: u32,
    /// When another one replaced it.
    pub retired_at: Option<Timestamp>,
    /// By the settled transfers: the currencies with a balance, or with money of the operator.
    pub holdings: Vec<WalletHolding>,
}

/// An amount at a hot wallet, in the smallest unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletHolding {
    /// The chain.
    pub chain: ChainId,
    /// The currency on it.
    pub currency: Currency,
    /// The whole balance.
    pub units: i128,
    /// The operator's own money; negative if merchants got more than the operator had.
    pub own: i128,
    /// The part of it that no transaction or order under way needs. Beyond it an operator would withdraw merchants' money.
    pub available: i128,
}

/// Where the key of a new hot wallet comes from.
#[derive(Debug, Clone, Copy)]
pub enum NewKey<'a> {
    /// The seed of the hot wallet in use, at another index of its path.
    Index(u32),
    /// Other words.
    Words(&'a Words),
    /// An external signer, which holds it.
    Signer {
        /// The address.
        address: Address,
        /// The signer's URL.
        url: &'a str,
    },
}

/// Money at the proxies of a chain, which is swept next.
#[derive(Debug, Clone)]
pub struct Unswept {
    /// The chain.
    pub chain: ChainId,
    /// Its name.
    pub name: String,
    /// Nothing is swept while it is paused.
    pub paused: bool,
    /// Nothing is swept without it.
    pub factory: Factory,
    /// Each currency with the number of proxies that hold it, and their sum in the smallest unit.
    pub sums: Vec<(Asset, usize, i128)>,
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
        self.insert_first_wallet(database, NewKey::Words(words), now, seed)
    }

    /// Uses an external signer, which holds the key of the hot wallet.
    ///
    /// # Errors
    /// As [`Service::create_wallet`].
    pub fn connect_signer(
        &self,
        database: &mut dyn Database,
        (address, url): (Address, &str),
        now: Timestamp,
        seed: Seed,
    ) -> Result<Address, OperatorError> {
        self.insert_first_wallet(database, NewKey::Signer { address, url }, now, seed)
    }

    fn insert_first_wallet(
        &self,
        database: &mut dyn Database,
        key: NewKey<'_>,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Address, OperatorError> {
        self.need_live()?;
        self.transact(database, |database| {
            // The words of a new wallet came from the first bytes.
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            let _words = unit.random.bytes::<32>();
            if let Some(wallet) = store::wallet::current_wallet(unit.database)? {
                return Ok(Err(OperatorError::WalletExists(wallet.address)));
            }
            match secret_of(&unit, key, None)? {
                Some(secret) => insert(&mut unit, &secret).map(Ok),
                None => Ok(Err(OperatorError::NoWallet)),
            }
        })?
    }

    /// The address that a new hot wallet would have. The caller checks with the nodes that it is unused.
    ///
    /// # Errors
    /// [`OperatorError::NoWallet`], and [`OperatorError::WalletKnown`] for one that is or was a hot wallet.
    pub fn address_of_key(
        &self,
        database: &mut dyn Database,
        key: NewKey<'_>,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Address, OperatorError> {
        self.need_live()?;
        let mut unit = Unit::new(self, database, now, Random::new(seed));
        new_key(&mut unit, key)?.map(|new| new.secret.address)
    }

    /// Replaces the hot wallet by a new one, which sends all unsigned transactions. The old one's money is sent to the new one,
    /// but for the operator's gas money, and proxies that pay into the old one are followed for ever.
    ///
    /// # Errors
    /// As [`Service::address_of_key`], and [`OperatorError::WalletReplaced`].
    pub fn rotate_wallet(
        &self,
        database: &mut dyn Database,
        key: NewKey<'_>,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Address, OperatorError> {
        self.need_live()?;
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            let new = match new_key(&mut unit, key)? {
                Ok(new) => new,
                Err(error) => return Ok(Err(error)),
            };
            if !store::wallet::retire(unit.database, new.replaces, unit.now)? {
                return Ok(Err(OperatorError::WalletReplaced));
            }
            insert(&mut unit, &new.secret).map(Ok)
        })?
    }

    /// The hot wallets, oldest first.
    ///
    /// # Errors
    /// If the database failed.
    pub fn wallets(&self, database: &mut dyn Database) -> Result<Vec<HotWallet>, StoreError> {
        let chains = store::connection::all_connections(database)?;
        let mut wallets = Vec::new();
        for wallet in store::wallet::all_wallets(database)? {
            let mut holdings = Vec::new();
            for connected in &chains {
                for asset in store::chain::assets(database, connected.chain)? {
                    let at = (connected.chain, wallet.address);
                    let held = holding(database, at, &asset)?;
                    holdings.extend(Some(held).filter(|held| held.units != 0 || held.own != 0));
                }
            }
            wallets.push(HotWallet {
                address: wallet.address,
                is_external: wallet.is_external,
                derivation_index: wallet.derivation_index,
                retired_at: wallet.retired_at,
                holdings,
            });
        }
        Ok(wallets)
    }

    /// Sweeps the money at all proxies next, of one chain or of all, and says what there is.
    ///
    /// # Errors
    /// [`OperatorError::NotConnected`].
    pub fn sweep_proxies(
        &self,
        database: &mut dyn Database,
        chain: Option<ChainId>,
        now: Timestamp,
    ) -> Result<Vec<Unswept>, OperatorError> {
        let found = self.transact(database, |database| {
            let mut found = Vec::new();
            for (known, connected) in connection::connected_chains(database)? {
                if chain.is_some_and(|chain| chain != known.id) {
                    continue;
                }
                let at = store::holding::at_proxies(database, known.id)?;
                let sums = known.assets.into_iter().filter_map(|asset| {
                    let of = at.iter().filter(|held| held.currency == asset.symbol);
                    let (count, sum) = of.fold((0, 0_i128), |(count, sum), held| {
                        (count + 1, sum.saturating_add(held.units))
                    });
                    (count > 0).then_some((asset, count, sum))
                });
                found.push(Unswept {
                    chain: known.id,
                    name: known.name,
                    paused: connected.paused,
                    sums: sums.collect(),
                    factory: factory(database, &connected)?,
                });
                store::holding::sweep_all_at(database, connected.chain, now)?;
            }
            Ok(found)
        })?;
        match chain {
            Some(chain) if found.is_empty() => Err(OperatorError::NotConnected(chain)),
            _ => Ok(found),
        }
    }
}

/// The signer of a new hot wallet.
struct Secret {
    address: Address,
    bytes: Vec<u8>,
    is_external: bool,
    index: u32,
}

fn insert(unit: &mut Unit<'_>, secret: &Secret) -> Result<Address, StoreError> {
    let address = secret.address;
    let wallet = Wallet {
        address,
        secret: unit.seal(&context::wallet(&format!("{address:#x}")), &secret.bytes)?,
        is_external: secret.is_external,
        derivation_index: secret.index,
        retired_at: None,
    };
    store::wallet::insert(unit.database, &wallet, unit.now)?;
    Ok(address)
}

/// The signer with a new key; `None` for another index of a wallet in use that has no seed.
fn secret_of(
    unit: &Unit<'_>,
    key: NewKey<'_>,
    in_use: Option<&Wallet>,
) -> Result<Option<Secret>, StoreError> {
    let (seed, index): (WalletSeed, u32) = match (key, in_use) {
        (NewKey::Signer { address, url }, _) => {
            return Ok(Some(Secret {
                address,
                bytes: url.as_bytes().to_vec(),
                is_external: true,
                index: 0,
            }));
        }
        (NewKey::Words(words), _) => (words.seed(), 0),
        (NewKey::Index(index), Some(wallet)) if !wallet.is_external => {
            (super::sign::seed_of(unit, wallet)?, index)
        }
        (NewKey::Index(_), _) => return Ok(None),
    };
    let key = Key::derive(&seed, index)
        .ok_or_else(|| StoreError::Broken("the index of a wallet has no key".to_owned()))?;
    Ok(Some(Secret {
        address: key.address(),
        bytes: seed.to_vec(),
        is_external: false,
        index,
    }))
}

/// A key that replaces that of the hot wallet in use.
struct Replacement {
    secret: Secret,
    replaces: Address,
}

fn new_key(
    unit: &mut Unit<'_>,
    key: NewKey<'_>,
) -> Result<Result<Replacement, OperatorError>, StoreError> {
    let Some(current) = store::wallet::current_wallet(unit.database)? else {
        return Ok(Err(OperatorError::NoWallet));
    };
    let Some(secret) = secret_of(unit, key, Some(&current))? else {
        return Ok(Err(OperatorError::NoSeed(current.address)));
    };
    if store::wallet::find(unit.database, secret.address)?.is_some() {
        return Ok(Err(OperatorError::WalletKnown(secret.address)));
    }
    Ok(Ok(Replacement {
        secret,
        replaces: current.address,
    }))
}

fn holding(
    database: &mut dyn Database,
    (chain, wallet): (ChainId, Address),
    asset: &Asset,
) -> Result<WalletHolding, StoreError> {
    let at = (wallet, &asset.symbol);
    Ok(WalletHolding {
        chain,
        units: store::holding::held_units(database, chain, at)?,
        own: store::operator_money::operator_units(database, chain, at)?,
        available: store::operator_money::withdrawable(database, chain, (wallet, asset))?,
        currency: asset.symbol.clone(),
    })
}
