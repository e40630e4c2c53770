//! Requests to a connected chain: addresses, transfers and fees.

use alloy_primitives::{Address, B256};
use settlekit_core::account::Account;
use settlekit_core::error::Reason;
use settlekit_core::value::{ChainId, Currency, ExtendedPublicKey};

use super::factory::{Factory, factory};
use super::{derived, simulated};
use crate::evm::{proxy, xpub};
use crate::money::connection::Connection;
use crate::store;
use crate::store::proxy::Proxy;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// A new address to pay an account at.
pub(crate) struct NewAddress {
    pub(crate) address: String,
    /// Its number below the account's extended public key.
    pub(crate) index: Option<u32>,
}

impl From<String> for NewAddress {
    fn from(address: String) -> Self {
        Self {
            address,
            index: None,
        }
    }
}

impl Connection {
    /// A new address of an account that the service holds: a proxy wallet, or without the factory a derived address.
    pub(crate) fn new_held_address(self, unit: &mut Unit<'_>, chain: ChainId) -> Outcome<String> {
        match self {
            Self::Simulated(simulation) => Ok(simulated::new_address(simulation, unit)),
            Self::Evm(evm) if has_factory(unit, chain)? => Ok(new_proxy(unit, evm.hot_wallet)?),
            Self::Evm(_) => derived::new_address(unit, chain),
        }
    }

    /// A new address to pay an account at. Money there can only be sent to the account's wallet.
    pub(crate) fn new_pay_in_address(
        self,
        unit: &mut Unit<'_>,
        account: &Account,
    ) -> Outcome<NewAddress> {
        if let Some(xpub) = &account.xpub {
            return Ok(next_address(unit, account, xpub)?);
        }
        let chain = account.chain_id;
        let chain = chain.ok_or_else(|| StoreError::Damaged("a wallet has no chain".to_owned()))?;
        match (self, account.own_wallet()) {
            (Self::Evm(_), Some(wallet)) => {
                if !has_factory(unit, chain)? {
                    return Err(Refusal::because(
                        Reason::NotSupported,
                        format!(
                            "chain {chain} lacks the factory of proxy wallets, which pay into a wallet of your own: \
                             connect it by its extended public key, or ask the operator to deploy the factory"
                        ),
                    ));
                }
                let wallet = wallet.parse::<Address>().map_err(|_| {
                    StoreError::Damaged("a wallet on an EVM chain has no EVM address".to_owned())
                })?;
                Ok(new_proxy(unit, wallet)?.into())
            }
            _ => self.new_held_address(unit, chain).map(NewAddress::from),
        }
    }

    /// The address of a virtual account on one more chain: that of its other chains if it is free, since a proxy has the same
    /// address on every EVM chain with the factory, and a derived address on every other.
    pub(crate) fn shared_address(
        self,
        unit: &mut Unit<'_>,
        chain: ChainId,
        others: &[Account],
    ) -> Outcome<String> {
        let Self::Evm(evm) = self else {
            return self.new_held_address(unit, chain);
        };
        let addresses = others.iter();
        let addresses: Vec<Address> = addresses
            .filter_map(|other| other.address.as_deref()?.parse().ok())
            .collect();
        if !has_factory(unit, chain)? {
            let among = (evm.hot_wallet, addresses.as_slice());
            return match derived::shared(unit, chain, among)? {
                Some(address) => Ok(address),
                None => self.new_held_address(unit, chain),
            };
        }
        for proxy in store::proxy::proxies_among(unit.database, &addresses)? {
            let address = proxy.address.to_string();
            // An account that was deleted keeps its address on its chain.
            let is_free = !store::account::is_known(unit.database, chain, &address)?;
            if is_free && proxy.destination == evm.hot_wallet {
                return Ok(address);
            }
        }
        self.new_held_address(unit, chain)
    }

    /// The network fee that the merchant bears for a transfer, in a currency's smallest unit; `None` without a price. On a real
    /// chain the operator bears it.
    pub(crate) fn fee(self, chain: ChainId, currency: &Currency, scale: u32) -> Option<i128> {
        match self {
            Self::Simulated(simulation) => simulated::fee(simulation, chain, currency, scale),
            Self::Evm(_) => Some(0),
        }
    }
}

/// The next address of an extended public key that the organisation does not watch yet. The first one, 0, is the account's own.
fn next_address(
    unit: &mut Unit<'_>,
    account: &Account,
    xpub: &ExtendedPublicKey,
) -> Result<NewAddress, StoreError> {
    let (organisation, chain) = (account.org_id, account.chain_id);
    let chain = chain.ok_or_else(|| StoreError::Damaged("a wallet has no chain".to_owned()))?;
    loop {
        let index = store::account::take_index(unit.database, organisation, xpub)?;
        // A few indexes in 2^127 have no key.
        let Some(address) = xpub::address(xpub, index) else {
            continue;
        };
        let address = address.to_string();
        let known =
            store::account::account_of_address(unit.database, organisation, (chain, &address))?;
        if known.is_none() {
            return Ok(NewAddress {
                address,
                index: Some(index),
            });
        }
    }
}

/// Whether a chain has the factory of proxy wallets, or will have.
fn has_factory(unit: &mut Unit<'_>, chain: ChainId) -> Result<bool, StoreError> {
    let connected = store::connection::find(unit.database, chain)?;
    let connected =
        connected.ok_or_else(|| StoreError::Broken("the chain is not connected".to_owned()))?;
    Ok(factory(unit.database, &connected)? != Factory::Missing)
}

/// A new proxy wallet that pays into another wallet.
fn new_proxy(unit: &mut Unit<'_>, destination: Address) -> Result<String, StoreError> {
    let salt = B256::from(unit.random.bytes::<32>());
    let proxy = Proxy {
        address: proxy::address(destination, salt),
        destination,
        salt,
    };
    store::proxy::insert(unit.database, &proxy)?;
    Ok(proxy.address.to_string())
}
