//! What the operator can give to merchants who trade at exchange accounts: the own money in the hot wallet.
//!
//! An order at the exchange gives the operator the same there. The operator moves it between the exchange and the hot wallet.

use std::collections::BTreeMap;

use settlekit_core::value::{ChainId, Currency};

use crate::store;
use crate::store::exchange_position::{self, At, Position};
use crate::store::sql::{Database, StoreError};

/// What the operator can give from the hot wallet in use, in the smallest unit.
pub(crate) fn available(
    database: &mut dyn Database,
    (chain, currency): (ChainId, &Currency),
) -> Result<i128, StoreError> {
    match store::wallet::current(database)? {
        Some(wallet) => left(database, (chain, wallet.address, currency)),
        None => Ok(0),
    }
}

/// The own money that lies in a wallet and is neither promised nor needed for gas.
fn left(database: &mut dyn Database, at: At<'_>) -> Result<i128, StoreError> {
    let (chain, wallet, currency) = at;
    let own = store::operator_money::free_at(database, chain, (wallet, currency))?;
    let held = store::holding::of(database, chain, (wallet, currency))?;
    let leaving = store::outgoing_open::reserved(database, (wallet, chain), currency)?;
    let promised = exchange_position::find(database, at)?.reserved;
    // What merchants have sold may not have been swept yet.
    let there = held.saturating_sub(leaving.units).saturating_sub(promised);
    Ok(own.min(there).saturating_sub(gas_money(database, at)?))
}

/// What is kept of a native coin for the network's fees.
fn gas_money(
    database: &mut dyn Database,
    (chain, wallet, currency): At<'_>,
) -> Result<i128, StoreError> {
    let asset = store::chain::asset(database, chain, currency)?;
    if asset.is_none_or(|asset| asset.token_address.is_some()) {
        return Ok(0);
    }
    let connected = store::connection::find(database, chain)?;
    let mark = connected.map_or(0, |connected| connected.gas_mark());
    let leaving = store::outgoing_open::reserved(database, (wallet, chain), currency)?;
    Ok(mark.saturating_add(leaving.gas))
}

/// Reserves an amount for the order of a merchant; false if the operator has less.
pub(super) fn reserve(
    database: &mut dyn Database,
    at: At<'_>,
    units: i128,
) -> Result<bool, StoreError> {
    let position = exchange_position::lock(database, at)?;
    if left(database, at)? < units {
        return Ok(false);
    }
    let position = Position {
        reserved: position.reserved.saturating_add(units),
        ..position
    };
    exchange_position::set(database, at, position)?;
    Ok(true)
}

/// Releases a reserved amount.
pub(crate) fn release(
    database: &mut dyn Database,
    at: At<'_>,
    units: i128,
) -> Result<(), StoreError> {
    let position = exchange_position::lock(database, at)?;
    let position = Position {
        reserved: position.reserved.saturating_sub(units),
        ..position
    };
    exchange_position::set(database, at, position)
}

/// Adds what a trade has moved from a merchant to the operator; negative for the other way.
pub(crate) fn add(database: &mut dyn Database, at: At<'_>, units: i128) -> Result<(), StoreError> {
    let position = exchange_position::lock(database, at)?;
    let posted = position.posted.checked_add(units);
    let posted = posted.ok_or_else(|| StoreError::Broken("a position is too large".to_owned()))?;
    let position = Position { posted, ..position };
    exchange_position::set(database, at, position)
}

/// The stored positions, and what the books and the orders under way make of them.
pub(crate) fn audit(
    database: &mut dyn Database,
) -> Result<BTreeMap<(ChainId, Currency), [Position; 2]>, StoreError> {
    let mut audited = BTreeMap::<_, [Position; 2]>::new();
    for (of, stored) in exchange_position::all(database)? {
        let [sum, _] = audited.entry(of).or_default();
        sum.posted = sum.posted.saturating_add(stored.posted);
        sum.reserved = sum.reserved.saturating_add(stored.reserved);
    }
    for (of, units) in exchange_position::booked(database)? {
        let [_, computed] = audited.entry(of).or_default();
        computed.posted = computed.posted.saturating_add(units);
    }
    for quote in exchange_position::under_way(database)? {
        let damaged = || StoreError::Damaged("a quote buys no known currency".to_owned());
        let bought = quote.buy_asset;
        let chain = bought.chain_id.ok_or_else(damaged)?;
        let asset = store::chain::asset(database, chain, &bought.symbol)?.ok_or_else(damaged)?;
        let units = bought.amount.to_units(asset.scale);
        let [_, computed] = audited.entry((chain, bought.symbol)).or_default();
        computed.reserved = computed
            .reserved
            .saturating_add(units.map_err(|_| damaged())?);
    }
    Ok(audited)
}
