//! The connections of a service, for the operator's log.

use super::{connection, venue};
use crate::store::sql::{Database, StoreError};
use crate::{Service, store};

/// The connections of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connections {
    /// The names of the connected chains.
    pub chains: Vec<String>,
    /// Whether a price source is connected.
    pub prices: bool,
    /// The names of the connected venues.
    pub venues: Vec<String>,
}

impl Service {
    /// The connected chains by name, price source and venues, for the operator's log.
    ///
    /// # Errors
    /// If the database failed.
    pub fn connections(&self, database: &mut dyn Database) -> Result<Connections, StoreError> {
        let mode = self.options().mode;
        let chains = connection::listed(mode, database)?;
        let has_prices = mode.is_sandbox() || store::price::has_source(database)?;
        Ok(Connections {
            chains: chains.into_iter().map(|chain| chain.name).collect(),
            prices: has_prices,
            venues: venue::names(mode, database)?,
        })
    }
}
