//! A single transfer, to benchmark the ledger without the rest of a deposit. Only with the feature `bench`, which no release
//! enables.

use settlekit_core::value::{AccountId, ChainId, Currency, OrganisationId, Timestamp};

use super::{Holder, Leg, post};
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;
use crate::{Random, Seed, Service};

impl Service {
    /// Books an amount in the currency's smallest unit from a chain to an account on it: two postings, two balances, no movement,
    /// no event.
    ///
    /// # Errors
    /// If the database failed, or the balance would have no decimal form.
    pub fn transfer_alone(
        &self,
        database: &mut dyn Database,
        (organisation, account): (OrganisationId, AccountId),
        (chain, currency): (ChainId, &Currency),
        units: i128,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(Seed([0; 32])));
            let leg = |holder, units| Leg {
                holder,
                chain,
                currency: currency.clone(),
                units,
            };
            let legs = [
                leg(Holder::Chain, -units),
                leg(Holder::Merchant(account), units),
            ];
            post(&mut unit, organisation, "deposit", None, &legs)
                .map(drop)
                .map_err(|refusal| refusal.unexpected("the transfer was refused"))
        })
    }
}
