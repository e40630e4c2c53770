//! The operator's commands for exchanges on chains.

use std::fmt;

use settlekit_core::value::{ChainId, Timestamp};

use super::pool_reader::usable_pools;
use super::uniswap::{Pool, discovery};
use super::venue_contracts;
pub use super::venue_contracts::NewVenue;
use crate::mode::Mode;
use crate::store::sql::{Database, StoreError};
use crate::store::venue;
use crate::{Service, store};

/// Why a command on venues was refused.
#[derive(Debug, Clone, PartialEq)]
pub enum VenueError {
    /// The database is a sandbox, whose venues are simulated.
    Sandbox,
    /// The chain is not connected.
    NoChain(ChainId),
    /// No venue is connected on the chain.
    NotConnected(ChainId),
    /// The contracts of neither version are given.
    NoContracts,
    /// The chain has too many currencies, or their contracts are no addresses.
    Tokens(String),
    /// The database failed.
    Store(StoreError),
}

impl fmt::Display for VenueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sandbox => f.write_str(
                "the database is a sandbox, whose venues are simulated: use a live database",
            ),
            Self::NoChain(chain) => write!(
                f,
                "chain {chain} is not connected: connect it with `settlekit chain connect` first"
            ),
            Self::NotConnected(chain) => write!(f, "no venue is connected on chain {chain}"),
            Self::NoContracts => {
                f.write_str("the contracts of version 2, of version 3 or of both are needed")
            }
            Self::Tokens(error) => f.write_str(error),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for VenueError {}

impl From<StoreError> for VenueError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A connected exchange with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectedVenue {
    /// The chain.
    pub chain: ChainId,
    /// Connected contracts.
    pub venue: NewVenue,
    /// The pools that can be used.
    pub pools: Vec<Pool>,
    /// When its pools were last read.
    pub succeeded_at: Option<Timestamp>,
    /// Failures since.
    pub failures: u32,
    /// Since when reading fails.
    pub failing_since: Option<Timestamp>,
    /// The last failure, of the whole or of a part.
    pub last_error: Option<String>,
}

impl Service {
    /// Connects an exchange on a connected chain, or replaces it. Servers may keep running.
    ///
    /// # Errors
    /// [`VenueError::Sandbox`], [`VenueError::NoContracts`], [`VenueError::NoChain`] and [`VenueError::Tokens`].
    pub fn connect_venue(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
        new: &NewVenue,
        now: Timestamp,
    ) -> Result<(), VenueError> {
        if self.options().mode != Mode::Live {
            return Err(VenueError::Sandbox);
        }
        if new.contracts.v2.is_none() && new.contracts.v3.is_none() {
            return Err(VenueError::NoContracts);
        }
        self.transact(database, |database| {
            // The lock keeps the chain connected until the commit.
            if store::connection::lock(database, chain)?.is_none() {
                return Ok(Err(VenueError::NoChain(chain)));
            }
            let tokens = super::pool_reader::tokens(database, chain)?;
            if let Err(error) = discovery::keys(&new.contracts, &tokens) {
                return Ok(Err(VenueError::Tokens(error.to_string())));
            }
            venue::delete(database, chain)?;
            venue::insert(database, chain, &venue_contracts::stored(new), now)?;
            Ok(Ok(()))
        })?
    }

    /// Disconnects the exchange of a chain.
    ///
    /// # Errors
    /// [`VenueError::NotConnected`].
    pub fn disconnect_venue(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
    ) -> Result<(), VenueError> {
        self.transact(database, |database| {
            if venue::lock(database, chain)?.is_none() {
                return Ok(Err(VenueError::NotConnected(chain)));
            }
            venue::delete(database, chain)?;
            Ok(Ok(()))
        })?
    }

    /// The connected exchanges, by chain.
    ///
    /// # Errors
    /// If the database failed.
    pub fn connected_venues(
        &self,
        database: &mut dyn Database,
    ) -> Result<Vec<ConnectedVenue>, StoreError> {
        let mut list = Vec::new();
        for stored in venue::all_venues(database)? {
            let pools = usable_pools(database, stored.chain)?.into_iter();
            list.push(ConnectedVenue {
                chain: stored.chain,
                venue: NewVenue {
                    name: stored.contracts.name.clone(),
                    contracts: venue_contracts::read(&stored.contracts)?,
                    slippage: venue_contracts::slippage(&stored.contracts)?,
                },
                pools: pools.map(|(_, pool)| pool).collect(),
                succeeded_at: stored.state.succeeded_at,
                failures: stored.state.failures,
                failing_since: stored.state.failing_since,
                last_error: stored.state.last_error,
            });
        }
        Ok(list)
    }
}
