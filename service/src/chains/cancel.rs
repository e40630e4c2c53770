//! Cancels a pending transaction with an empty one of the same nonce (a filler). The money returns when the filler is settled.

use alloy_primitives::Address;
use settlekit_core::value::{ChainId, Timestamp};

use super::operator_error::OperatorError;
use crate::store::outgoing::Status;
use crate::store::sql::{Database, StoreError};
use crate::{Service, store};

impl Service {
    /// Cancels the transaction of a hot wallet with a nonce.
    ///
    /// # Errors
    /// [`OperatorError::NotConnected`], [`OperatorError::NotUnderWay`] and [`OperatorError::CanceledAlready`].
    pub fn cancel_transaction(
        &self,
        database: &mut dyn Database,
        (wallet, chain): (Address, ChainId),
        nonce: u64,
        now: Timestamp,
    ) -> Result<(), OperatorError> {
        self.transact(database, |database| {
            if store::connection::lock(database, chain)?.is_none() {
                return Ok(Err(OperatorError::NotConnected(chain)));
            }
            cancel(database, (wallet, chain), nonce, now)
        })?
    }
}

fn cancel(
    database: &mut dyn Database,
    (wallet, chain): (Address, ChainId),
    nonce: u64,
    now: Timestamp,
) -> Result<Result<(), OperatorError>, StoreError> {
    let found = store::outgoing::by_nonce(database, (wallet, chain), nonce)?;
    let found = found.filter(|outgoing| {
        matches!(
            outgoing.status,
            Status::Unsigned | Status::Signed | Status::Sent
        )
    });
    let Some(mut outgoing) = found else {
        return Ok(Err(OperatorError::NotUnderWay(chain, nonce)));
    };
    let latest = store::outgoing_attempt::latest_attempt(database, outgoing.id)?;
    if latest.is_some_and(|attempt| attempt.is_filler) {
        return Ok(Err(OperatorError::CanceledAlready(chain, nonce)));
    }
    outgoing.status = Status::Abandoned;
    outgoing.refusals = 0;
    store::outgoing::update(database, &outgoing, Some(now), now)?;
    Ok(Ok(()))
}
