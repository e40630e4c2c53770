//! The operator's own money: what its entries add up to, and what trades at exchange accounts have moved to it. A service in wasm is a
//! sandbox, without such trades.

use alloy_primitives::Address;
use settlekit_core::value::{ChainId, Currency};

#[cfg(not(target_family = "wasm"))]
use super::exchange_position;
use super::operator_entry;
use super::sql::{Database, StoreError};

/// On a chain in a currency.
pub(crate) fn on_chain(
    database: &mut dyn Database,
    chain: ChainId,
    currency: &Currency,
) -> Result<i128, StoreError> {
    let own = operator_entry::balance(database, chain, currency)?;
    #[cfg(not(target_family = "wasm"))]
    let own = own.saturating_add(exchange_position::on_chain(database, chain, currency)?);
    Ok(own)
}

/// At a hot wallet.
pub(crate) fn at(
    database: &mut dyn Database,
    chain: ChainId,
    (wallet, currency): (Address, &Currency),
) -> Result<i128, StoreError> {
    let own = operator_entry::balance_at(database, chain, (wallet, currency))?;
    #[cfg(not(target_family = "wasm"))]
    let own = {
        let position = exchange_position::find(database, (chain, wallet, currency))?;
        own.saturating_add(position.posted)
    };
    Ok(own)
}

/// At a hot wallet, without what orders at exchange accounts will give to merchants.
pub(crate) fn free_at(
    database: &mut dyn Database,
    chain: ChainId,
    (wallet, currency): (Address, &Currency),
) -> Result<i128, StoreError> {
    let own = operator_entry::balance_at(database, chain, (wallet, currency))?;
    #[cfg(not(target_family = "wasm"))]
    let own = {
        let position = exchange_position::find(database, (chain, wallet, currency))?;
        let own = own.saturating_add(position.posted);
        own.saturating_sub(position.reserved)
    };
    Ok(own)
}
