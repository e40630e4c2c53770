//! Sweeps: the money of many proxies goes on to their destination in one transaction.

use settlekit_core::value::Timestamp;

use super::outgoing;
use crate::evm::call;
use crate::store;
use crate::store::connection::Connected;
use crate::store::outgoing::Purpose;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Proxies per sweep. A first sweep takes about 100 000 gas for each, and a block holds 30 000 000 on most chains.
const PROXIES_MAX: u32 = 50;

/// Queues a sweep of what has lain at proxies of a chain since before a time, unless one is under way: the next one takes all
/// that has come together since.
pub(super) fn queue(
    unit: &mut Unit<'_>,
    connected: &Connected,
    since: Timestamp,
) -> Result<(), StoreError> {
    let chain = connected.chain;
    if store::outgoing::is_sweeping(unit.database, chain)? {
        return Ok(());
    }
    let unswept = store::holding::unswept(unit.database, chain, since, PROXIES_MAX)?;
    let (Some(first), Some(wallet)) = (unswept.first(), store::wallet::current(unit.database)?)
    else {
        return Ok(());
    };
    let (destination, currency) = (first.destination, first.currency.clone());
    let token = outgoing::token_of(unit, chain, &currency)?;
    let salts = unswept.iter();
    let salts = salts
        .filter(|one| one.destination == destination && one.currency == currency)
        .map(|one| one.salt)
        .collect();
    let call = call::sweep_proxies(connected.factory, destination, salts, token);
    let sender = (chain, wallet.address);
    outgoing::queue(unit, sender, Purpose::Sweep, &call, (&currency, 0))
}
