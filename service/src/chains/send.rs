//! Requests to a connected chain: addresses, transfers and fees.

use alloy_primitives::{Address, B256};
use settlekit_core::account::Account;
use settlekit_core::value::{ChainId, Currency, ExtendedPublicKey};

use super::simulated;
use crate::evm::{proxy, xpub};
use crate::money::connection::Connection;
use crate::store;
use crate::store::proxy::Proxy;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

impl Connection {
    /// A new address of an account that the service holds.
    pub(crate) fn new_held_address(self, unit: &mut Unit<'_>) -> Result<String, StoreError> {
        match self {
            Self::Simulated(simulation) => Ok(simulated::new_address(simulation, unit)),
            Self::Evm(evm) => new_proxy(unit, evm.hot_wallet),
        }
    }

    /// A new address to pay an account at. Money sent there can only go on to the account's wallet.
    pub(crate) fn new_pay_in_address(
        self,
        unit: &mut Unit<'_>,
        account: &Account,
    ) -> Result<String, StoreError> {
        if let Some(xpub) = &account.xpub {
            return next_address(unit, account, xpub);
        }
        match (self, account.own_wallet()) {
            (Self::Evm(_), Some(wallet)) => {
                let wallet = wallet.parse::<Address>().map_err(|_| {
                    StoreError::Damaged("a wallet on an EVM chain has no EVM address".to_owned())
                })?;
                new_proxy(unit, wallet)
            }
            _ => self.new_held_address(unit),
        }
    }

    /// The address of a virtual account on one more chain: that of its other chains if it is free, since a proxy has the same
    /// address on every EVM chain.
    pub(crate) fn shared_address(
        self,
        unit: &mut Unit<'_>,
        chain: ChainId,
        others: &[Account],
    ) -> Result<String, StoreError> {
        let Self::Evm(evm) = self else {
            return self.new_held_address(unit);
        };
        let addresses = others.iter();
        let addresses: Vec<Address> = addresses
            .filter_map(|other| other.address.as_deref()?.parse().ok())
            .collect();
        for proxy in store::proxy::among(unit.database, &addresses)? {
            let address = proxy.address.to_string();
            // An account that was deleted keeps its address on its chain.
            let is_free = !store::account::is_known(unit.database, chain, &address)?;
            if is_free && proxy.destination == evm.hot_wallet {
                return Ok(address);
            }
        }
        self.new_held_address(unit)
    }

    /// Refuses if transfers do not confirm by time alone, as only those of the simulated chain do.
    pub(crate) fn confirms_by_time(self) -> Outcome<()> {
        match self {
            Self::Simulated(_) => Ok(()),
            Self::Evm(_) => Err(Refusal::state_forbids(
                "the transfer confirms when its chain has the blocks",
            )),
        }
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
) -> Result<String, StoreError> {
    let (organisation, chain) = (account.org_id, account.chain_id);
    let chain = chain.ok_or_else(|| StoreError::Damaged("a wallet has no chain".to_owned()))?;
    loop {
        let index = store::account::take_index(unit.database, organisation, xpub)?;
        // A few indexes in 2^127 have no key.
        let Some(address) = xpub::address(xpub, index) else {
            continue;
        };
        let address = address.to_string();
        let known = store::account::led_by(unit.database, organisation, (chain, &address))?;
        if known.is_none() {
            return Ok(address);
        }
    }
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
