//! The operator's own money: the sum of its entries, and of the trades at exchange accounts. A service in wasm is a
//! sandbox, without such trades.

use alloy_primitives::Address;
use settlekit_core::chain::Asset;
use settlekit_core::value::{ChainId, Currency};

#[cfg(not(target_family = "wasm"))]
use super::exchange_position;
use super::sql::{Database, StoreError};
use super::{holding, operator_entry, outgoing_open};

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

/// The amount that trades at exchange accounts gave to merchants on a chain and that the operator did not have. What a token keeps for
/// itself makes the operator's money negative too, and is no such amount.
pub(crate) fn overdrawn(
    database: &mut dyn Database,
    chain: ChainId,
    currency: &Currency,
) -> Result<i128, StoreError> {
    #[cfg(target_family = "wasm")]
    let given = 0_i128;
    #[cfg(not(target_family = "wasm"))]
    let given = exchange_position::on_chain(database, chain, currency)?.saturating_neg();
    if given <= 0 {
        return Ok(0);
    }
    let lacking = on_chain(database, chain, currency)?.saturating_neg();
    Ok(given.min(lacking).max(0))
}

/// The operator's units at a hot wallet. Negative if merchants got more than the operator had.
pub(crate) fn operator_units(
    database: &mut dyn Database,
    chain: ChainId,
    at: (Address, &Currency),
) -> Result<i128, StoreError> {
    Ok(with_promised(database, chain, at)?.0)
}

/// The available part at a hot wallet, without the amounts that pending transactions send and that orders at exchange accounts give to
/// a merchant. Coins that merchants have sold may not have been swept yet. The gas of transactions under way is in it.
pub(crate) fn available_operator_units(
    database: &mut dyn Database,
    chain: ChainId,
    (wallet, currency): (Address, &Currency),
) -> Result<i128, StoreError> {
    let (own, promised) = with_promised(database, chain, (wallet, currency))?;
    let held = holding::held_units(database, chain, (wallet, currency))?;
    let leaving = outgoing_open::reserved(database, (wallet, chain), currency)?;
    let there = held.saturating_sub(leaving.units);
    let taken = promised.saturating_add(leaving.own);
    Ok(own.min(there).saturating_sub(taken))
}

/// The part at a hot wallet that the operator may withdraw. Debts at other hot wallets of the chain count: after a theft the operator may
/// have made up for it at another one.
pub(crate) fn withdrawable(
    database: &mut dyn Database,
    chain: ChainId,
    (wallet, asset): (Address, &Asset),
) -> Result<i128, StoreError> {
    let currency = &asset.symbol;
    let available = available_operator_units(database, chain, (wallet, currency))?;
    #[cfg(target_family = "wasm")]
    let promised = 0;
    #[cfg(not(target_family = "wasm"))]
    let promised = exchange_position::promised(database, chain, currency)?;
    let of_chain = on_chain(database, chain, currency)?.saturating_sub(promised);
    // Gas is paid in the native coin.
    let gas = match asset.token_address {
        None => outgoing_open::reserved(database, (wallet, chain), currency)?.gas,
        Some(_) => 0,
    };
    Ok(available.min(of_chain).saturating_sub(gas).max(0))
}

/// The money at a hot wallet, and the part that orders at exchange accounts will give to merchants.
fn with_promised(
    database: &mut dyn Database,
    chain: ChainId,
    (wallet, currency): (Address, &Currency),
) -> Result<(i128, i128), StoreError> {
    let own = operator_entry::balance_at(database, chain, (wallet, currency))?;
    #[cfg(target_family = "wasm")]
    let position = (0, 0);
    #[cfg(not(target_family = "wasm"))]
    let position = {
        let position = exchange_position::find(database, (chain, wallet, currency))?;
        (position.posted, position.reserved)
    };
    Ok((own.saturating_add(position.0), position.1))
}
