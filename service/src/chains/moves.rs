//! Moves: the money of replaced hot wallets is sent to the one in use.
//!
//! Gas money stays: old proxies always pay the old wallet, which must pay to forward later deposits.

use std::time::Duration;

use alloy_primitives::{Address, U256};
use settlekit_core::value::ChainId;

use super::{queue, sign};
use crate::evm::call;
use crate::store;
use crate::store::outgoing::Purpose;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Moves of a currency from a wallet are queued this far apart: a token may refuse them, and each costs gas.
const APART: Duration = Duration::from_secs(60 * 60);

/// Queues moves of all that a retired hot wallet holds on a chain, beside what its own transactions take.
pub(super) fn queue_due(
    unit: &mut Unit<'_>,
    chain: ChainId,
    (retired, current): (Address, Address),
) -> Result<(), StoreError> {
    let sender = (chain, retired);
    for held in store::holding::holdings_at(unit.database, chain, retired)? {
        let units = sign::available(unit, sender, &held.currency)?;
        let since = unit.now.minus(APART);
        if units <= 0
            || store::outgoing_open::has_moved(unit.database, sender, &held.currency, since)?
        {
            continue;
        }
        let token = queue::token_of(unit, chain, &held.currency)?;
        let call = call::send(token, current, U256::from(units.unsigned_abs()));
        let out = (&held.currency, units);
        queue::add(unit, sender, Purpose::Move, &call, out)?;
    }
    Ok(())
}
