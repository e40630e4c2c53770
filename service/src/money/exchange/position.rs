//! The operator's own money in hot wallets, as far as merchants who trade at exchange accounts can get it.
//!
//! An order at the exchange gives the operator the same there. The operator moves it between the exchange and the hot wallet.

use std::collections::BTreeMap;

use alloy_primitives::Address;
use settlekit_core::value::{ChainId, Currency};

use crate::store;
use crate::store::exchange_position::{self, At, Position};
use crate::store::sql::{Database, StoreError};

/// The amount that the operator can give from the hot wallet in use, in the smallest unit.
pub(crate) fn available(
    database: &mut dyn Database,
    (chain, currency): (ChainId, &Currency),
) -> Result<i128, StoreError> {
    match store::wallet::current_wallet(database)? {
        Some(wallet) => left(database, (chain, wallet.address, currency)),
        None => Ok(0),
    }
}

/// The operator's available money in a wallet, without reserved amounts and gas money.
fn left(database: &mut dyn Database, at: At<'_>) -> Result<i128, StoreError> {
    let (chain, wallet, currency) = at;
    let available =
        store::operator_money::available_operator_units(database, chain, (wallet, currency))?;
    Ok(available.saturating_sub(gas_money(database, at)?))
}

/// The amount of a native coin that is kept for the network's fees; 0 of a token.
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
///
/// # Errors
/// [`StoreError::Broken`] if less is reserved.
pub(crate) fn release(
    database: &mut dyn Database,
    at: At<'_>,
    units: i128,
) -> Result<(), StoreError> {
    let position = exchange_position::lock(database, at)?;
    let left = position.reserved.checked_sub(units);
    let reserved = left.filter(|left| *left >= 0);
    let reserved =
        reserved.ok_or_else(|| StoreError::Broken("less is reserved than released".to_owned()))?;
    let position = Position {
        reserved,
        ..position
    };
    exchange_position::set(database, at, position)
}

/// Adds the amount that a trade moved from a merchant to the operator; negative for the other direction.
pub(crate) fn add(database: &mut dyn Database, at: At<'_>, units: i128) -> Result<(), StoreError> {
    let position = exchange_position::lock(database, at)?;
    let posted = position.posted.checked_add(units);
    let posted = posted.ok_or_else(|| StoreError::Broken("a position is too large".to_owned()))?;
    let position = Position { posted, ..position };
    exchange_position::set(database, at, position)
}

/// A stored amount and the one computed for it.
pub(crate) type Compared = [i128; 2];

/// The stored positions, each with the amount computed from the books or from the orders under way. The books have no wallets.
#[derive(Debug, Default)]
pub(crate) struct PositionAudit {
    pub(crate) posted: BTreeMap<(ChainId, Currency), Compared>,
    pub(crate) reserved: BTreeMap<(ChainId, Currency, Address), Compared>,
}

/// Compares the positions with the books and the orders under way.
pub(crate) fn audit(database: &mut dyn Database) -> Result<PositionAudit, StoreError> {
    let mut audit = PositionAudit::default();
    for (chain, wallet, currency, position) in exchange_position::all(database)? {
        let of = (chain, currency.clone(), wallet);
        audit.reserved.entry(of).or_default()[0] = position.reserved;
        let [stored, _] = audit.posted.entry((chain, currency)).or_default();
        *stored = stored.saturating_add(position.posted);
    }
    for (of, units) in exchange_position::booked(database)? {
        let [_, computed] = audit.posted.entry(of).or_default();
        *computed = computed.saturating_add(units);
    }
    for (bought, units, wallet) in exchange_position::under_way(database)? {
        let damaged = || StoreError::Damaged("a quote buys on no chain".to_owned());
        let of = (bought.chain_id.ok_or_else(damaged)?, bought.symbol, wallet);
        let [_, computed] = audit.reserved.entry(of).or_default();
        *computed = computed.saturating_add(units);
    }
    Ok(audit)
}
