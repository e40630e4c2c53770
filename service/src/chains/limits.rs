//! Payout limits that the operator sets from the command line.

use settlekit_core::value::{Amount, Timestamp};

use super::operator_error::OperatorError;
pub use crate::store::payout_limit::{LimitScope, PayoutLimit};
use crate::store::sql::{Database, StoreError};
use crate::{Service, store};

/// A limit with the payouts of its day so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutLimitUse {
    /// The limit.
    pub limit: PayoutLimit,
    /// The payouts of the day, in UTC, since the limit was set.
    pub paid_out: Amount,
}

impl Service {
    /// The limits above which a payout waits for a second member, with today's payouts.
    ///
    /// # Errors
    /// If the database failed.
    pub fn payout_limits(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
    ) -> Result<Vec<PayoutLimitUse>, StoreError> {
        let limits = store::payout_limit::all(database)?;
        let mut all = Vec::with_capacity(limits.len());
        for limit in limits {
            let paid_out = store::payout_limit::paid_out(database, &limit, now.day_number())?;
            all.push(PayoutLimitUse { limit, paid_out });
        }
        Ok(all)
    }

    /// Sets a limit, or removes one without amounts. Earlier payouts are not checked again.
    ///
    /// # Errors
    /// [`OperatorError::UnknownCurrency`] and [`OperatorError::UnknownOrganisation`].
    pub fn set_payout_limit(
        &self,
        database: &mut dyn Database,
        limit: &PayoutLimit,
        now: Timestamp,
    ) -> Result<(), OperatorError> {
        self.transact(database, |database| {
            let chains = store::chain::list(database)?;
            let mut assets = chains.iter().flat_map(|chain| &chain.assets);
            if !assets.any(|asset| asset.symbol == limit.currency) {
                let currency = limit.currency.clone();
                return Ok(Err(OperatorError::UnknownCurrency(currency)));
            }
            if let LimitScope::Organisation(id) = limit.scope
                && store::organisation::find(database, id)?.is_none()
            {
                return Ok(Err(OperatorError::UnknownOrganisation(id)));
            }
            store::payout_limit::write(database, limit, now)?;
            Ok(Ok(()))
        })?
    }
}
