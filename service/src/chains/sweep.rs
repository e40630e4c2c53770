//! Sweeps: one transaction sends the money of many proxies to their destination.

use std::time::Duration;

use alloy_primitives::Address;

use super::{derived, queue};
use crate::evm::{call, proxy};
use crate::store;
use crate::store::connection::Connected;
use crate::store::outgoing::Purpose;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Money at a proxy is swept after this time, with later deposits, unless a payout needs it before.
pub(super) const AFTER: Duration = Duration::from_secs(60 * 60);

/// Money that a sweep left behind, because its token is paused or blocks the proxy, is tried again after [`AFTER`], then after
/// twice as long each time, up to this time.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// Proxies per sweep. A first sweep takes about 100 000 gas for each, and a block holds 30 000 000 on most chains.
const PROXIES_MAX: u32 = 50;

/// Queues a sweep of the money at proxies of a chain that is due, or would be within some time. One is under way at a time: the
/// next one takes all that has come together since. Without the factory, a sweep would call an address without code, which succeeds
/// and does nothing.
pub(super) fn queue_due(
    unit: &mut Unit<'_>,
    connected: &Connected,
    within: Duration,
) -> Result<(), StoreError> {
    let chain = connected.chain;
    if !connected.has_factory {
        return Ok(());
    }
    let since = unit.now.minus(AFTER);
    if store::outgoing_open::is_sweeping(unit.database, chain, since)? {
        return Ok(());
    }
    let until = unit.now.plus(within);
    let mut unswept = store::holding::unswept(unit.database, chain, until, PROXIES_MAX)?;
    let (Some(first), Some(wallet)) = (
        unswept.first(),
        store::wallet::current_wallet(unit.database)?,
    ) else {
        return Ok(());
    };
    let (destination, currency) = (first.destination, first.currency.clone());
    unswept.retain(|one| one.destination == destination && one.currency == currency);
    for one in &unswept {
        let again = unit.now.plus(retry_after(one.sweeps));
        store::holding::set_swept(unit.database, chain, one, again)?;
    }
    let token = queue::token_of(unit, chain, &currency)?;
    let salts = unswept.iter().map(|one| one.salt).collect();
    let call = call::sweep_proxies(proxy::FACTORY, destination, salts, token);
    let sender = (chain, wallet.address);
    queue::add(unit, sender, Purpose::Sweep, &call, (&currency, 0)).map(drop)
}

/// Queues the sweeps of money that something waits for, before their time.
pub(super) fn queue_early(
    unit: &mut Unit<'_>,
    connected: &Connected,
    hot_wallet: Address,
) -> Result<(), StoreError> {
    queue_due(unit, connected, AFTER)?;
    derived::queue_due(unit, connected, (hot_wallet, AFTER))
}

/// The time until money is swept again that a number of sweeps has left behind.
fn retry_after(sweeps: u32) -> Duration {
    let times = 1_u32.checked_shl(sweeps).unwrap_or(u32::MAX);
    AFTER.saturating_mul(times).min(RETRY_AFTER_MAX)
}
