//! The addresses whose money is followed: proxies, derived addresses, hot wallets and the merchants' own wallets.

use alloy_primitives::Address;
use settlekit_core::value::ChainId;

use crate::store;
use crate::store::derived_address::DerivedAddress;
use crate::store::proxy::Proxy;
use crate::store::sql::{Database, StoreError};

/// The followed addresses among some.
pub(super) struct Followed {
    proxies: Vec<Proxy>,
    derived: Vec<DerivedAddress>,
    hot_wallets: Vec<Address>,
    /// Merchants' own wallets, which are watched only.
    own_wallets: Vec<Address>,
}

impl Followed {
    pub(super) fn among(
        database: &mut dyn Database,
        chain: ChainId,
        addresses: &[Address],
    ) -> Result<Self, StoreError> {
        Ok(Self {
            own_wallets: store::watched_address::among(database, chain, addresses)?,
            ..Self::of_service_among(database, addresses)?
        })
    }

    /// As [`Followed::among`], without merchants' own wallets.
    pub(super) fn of_service_among(
        database: &mut dyn Database,
        addresses: &[Address],
    ) -> Result<Self, StoreError> {
        let mut hot_wallets = hot_wallets(database)?;
        hot_wallets.retain(|wallet| addresses.contains(wallet));
        Ok(Self {
            proxies: store::proxy::proxies_among(database, addresses)?,
            derived: store::derived_address::derived_among(database, addresses)?,
            hot_wallets,
            own_wallets: Vec::new(),
        })
    }

    pub(super) fn has(&self, address: Address) -> bool {
        self.is_service_address(address) || self.is_own_wallet(address)
    }

    /// Whether an address is a proxy, a derived address or a hot wallet.
    pub(super) fn is_service_address(&self, address: Address) -> bool {
        self.is_hot(address) || self.is_swept(address)
    }

    pub(super) fn is_hot(&self, address: Address) -> bool {
        self.hot_wallets.contains(&address)
    }

    /// Whether the money at an address is swept.
    pub(super) fn is_swept(&self, address: Address) -> bool {
        self.is_proxy(address) || self.is_derived(address)
    }

    pub(super) fn is_derived(&self, address: Address) -> bool {
        self.derived
            .iter()
            .any(|derived| derived.address == address)
    }

    pub(super) fn is_proxy(&self, address: Address) -> bool {
        self.proxy(address).is_some()
    }

    pub(super) fn proxy(&self, address: Address) -> Option<&Proxy> {
        self.proxies.iter().find(|proxy| proxy.address == address)
    }

    pub(super) fn is_own_wallet(&self, address: Address) -> bool {
        self.own_wallets.contains(&address)
    }

    /// Whether money that is not the merchants' is the operator's at an address: a hot wallet, or an address that is swept to one.
    pub(super) fn is_operators(
        &self,
        database: &mut dyn Database,
        address: Address,
    ) -> Result<bool, StoreError> {
        match self.proxy(address) {
            Some(proxy) => Ok(hot_wallets(database)?.contains(&proxy.destination)),
            None => Ok(self.is_service_address(address)),
        }
    }
}

/// All hot wallets, old ones too.
pub(crate) fn hot_wallets(database: &mut dyn Database) -> Result<Vec<Address>, StoreError> {
    let wallets = store::wallet::all_wallets(database)?;
    Ok(wallets.into_iter().map(|wallet| wallet.address).collect())
}
