//! Requests to a connected chain: addresses, transfers and fees.

use settlekit_core::value::{ChainId, Currency};

use super::simulated;
use crate::money::connection::Connection;
use crate::store::simulated::Simulated;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Unit};

impl Connection {
    /// A new address whose key the connection holds.
    pub(crate) fn new_address(self, unit: &mut Unit<'_>) -> String {
        match self {
            Self::Simulated(simulation) => simulated::new_address(simulation, unit),
        }
    }

    pub(crate) fn send(
        self,
        unit: &mut Unit<'_>,
        chain: ChainId,
        between: (Option<&str>, &str),
        currency: &Currency,
        units: i128,
    ) -> Result<Simulated, StoreError> {
        match self {
            Self::Simulated(simulation) => {
                simulated::send(simulation, unit, chain, between, currency, units)
            }
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
    ) -> Result<String, StoreError> {
        match self {
            Self::Simulated(simulation) => {
                simulated::send_withdrawal(simulation, unit, chain, between, currency, units)
            }
        }
    }

    /// Refuses if transfers do not confirm by time alone, as only those of the simulated chain do.
    pub(crate) fn confirms_by_time(self) -> Outcome<()> {
        match self {
            Self::Simulated(_) => Ok(()),
        }
    }

    /// The network fee of a transfer in a currency's smallest unit; `None` without a price.
    pub(crate) fn fee(self, chain: ChainId, currency: &Currency, scale: u32) -> Option<i128> {
        match self {
            Self::Simulated(simulation) => simulated::fee(simulation, chain, currency, scale),
        }
    }
}
