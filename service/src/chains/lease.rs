//! Leases: with several servers on one database, each chain is read by one of them.
//!
//! A lease spares work; it protects nothing. Two servers that read a chain at once record each block once, because a block is
//! recorded after its parent and under a lock.

use std::time::Duration;

use settlekit_core::value::{ChainId, Timestamp};

use crate::Service;
use crate::store::connection::{self, Lease};
use crate::store::sql::{Database, StoreError};

/// How long a server has a chain without renewing the lease. Another one takes over within half a minute.
const LEASE: Duration = Duration::from_secs(20);

/// A lease is renewed when less than this is left.
const RENEW_BELOW: Duration = Duration::from_secs(12);

/// The leases of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leases {
    /// The chains that it has.
    pub held: Vec<ChainId>,
    /// The chains to take or to renew now.
    pub due: Vec<ChainId>,
}

impl Service {
    /// The leases of a server.
    ///
    /// # Errors
    /// If the database failed.
    pub fn leases(
        &self,
        database: &mut dyn Database,
        watcher: &str,
        now: Timestamp,
    ) -> Result<Leases, StoreError> {
        let mut leases = Leases {
            held: Vec::new(),
            due: Vec::new(),
        };
        for lease in connection::leases(database)? {
            // One beyond its length is of a clock that was ahead.
            let is_valid = lease.until > now && lease.until <= now.plus(LEASE);
            let is_own = lease.watcher == watcher;
            if is_valid && is_own {
                leases.held.push(lease.chain);
            }
            if !is_valid || is_own && lease.until < now.plus(RENEW_BELOW) {
                leases.due.push(lease.chain);
            }
        }
        Ok(leases)
    }

    /// Takes or renews leases; returns those of them that the server has now.
    ///
    /// # Errors
    /// If the database failed.
    pub fn take_leases(
        &self,
        database: &mut dyn Database,
        watcher: &str,
        chains: &[ChainId],
        now: Timestamp,
    ) -> Result<Vec<ChainId>, StoreError> {
        self.transact(database, |database| {
            let mut taken = Vec::new();
            for chain in chains {
                let lease = Lease {
                    chain: *chain,
                    watcher: watcher.to_owned(),
                    until: now.plus(LEASE),
                };
                if connection::take_lease(database, &lease, now)? {
                    taken.push(*chain);
                }
            }
            Ok(taken)
        })
    }

    /// Gives up all leases of a server that stops, so that another one takes over at once.
    ///
    /// # Errors
    /// If the database failed.
    pub fn end_leases(&self, database: &mut dyn Database, watcher: &str) -> Result<(), StoreError> {
        self.transact(database, |database| {
            connection::end_leases(database, watcher)
        })
    }
}
