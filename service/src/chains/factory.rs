//! Whether a chain has the factory of proxy wallets.

use std::fmt;

use crate::store;
use crate::store::connection::Connected;
use crate::store::sql::{Database, StoreError};

/// The factory of proxy wallets on a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factory {
    /// It is there.
    Deployed,
    /// Its deployment is not settled yet.
    Deploying,
    /// Its deployment failed, or was never asked for.
    Missing,
}

impl fmt::Display for Factory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Deployed => "deployed",
            Self::Deploying => "deploying",
            Self::Missing => "missing",
        })
    }
}

pub(super) fn factory(
    database: &mut dyn Database,
    connected: &Connected,
) -> Result<Factory, StoreError> {
    if connected.has_factory {
        return Ok(Factory::Deployed);
    }
    Ok(
        match store::outgoing_open::is_deploying(database, connected.chain)? {
            true => Factory::Deploying,
            false => Factory::Missing,
        },
    )
}
