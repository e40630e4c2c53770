//! Requests to a connected chain: addresses, transfers and fees.

use alloy_primitives::{Address, B256};
use settlekit_core::error::Reason;
use settlekit_core::value::{ChainId, Currency};

use super::simulated;
use crate::evm::proxy;
use crate::money::connection::{Connection, Evm};
use crate::store;
use crate::store::proxy::Proxy;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

impl Connection {
    /// A new address. Money sent there can only go on to `wallet`, the merchant's own, or by default to the hot wallet.
    pub(crate) fn new_address(
        self,
        unit: &mut Unit<'_>,
        wallet: Option<&str>,
    ) -> Result<String, StoreError> {
        match self {
            Self::Simulated(simulation) => Ok(simulated::new_address(simulation, unit)),
            Self::Evm(evm) => new_proxy(unit, evm, wallet),
        }
    }

    /// Sends a booked withdrawal and returns the transaction hash.
    pub(crate) fn send_withdrawal(
        self,
        unit: &mut Unit<'_>,
        chain: ChainId,
        between: (Option<&str>, &str),
        currency: &Currency,
        units: i128,
    ) -> Outcome<String> {
        match self {
            Self::Simulated(simulation) => Ok(simulated::send_withdrawal(
                simulation, unit, chain, between, currency, units,
            )?),
            // Booked at once, it would be called sent before a node has it.
            Self::Evm(_) => Err(Refusal::because(
                Reason::NotSupported,
                "money leaves a real chain by payouts only: send a payout instead",
            )),
        }
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

/// A new proxy wallet that pays into a merchant's wallet, or by default into the hot wallet.
fn new_proxy(unit: &mut Unit<'_>, evm: Evm, wallet: Option<&str>) -> Result<String, StoreError> {
    let destination = match wallet {
        None => evm.hot_wallet,
        Some(wallet) => wallet.parse::<Address>().map_err(|_| {
            StoreError::Damaged("a wallet on an EVM chain has no EVM address".to_owned())
        })?,
    };
    let salt = B256::from(unit.random.bytes::<32>());
    let proxy = Proxy {
        address: proxy::address(destination, salt),
        destination,
        salt,
    };
    store::proxy::insert(unit.database, &proxy)?;
    Ok(proxy.address.to_string())
}
