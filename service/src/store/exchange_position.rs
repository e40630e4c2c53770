//! The operator's positions from trades at exchange accounts: money moved from merchants to the operator, by hot wallet.

use std::collections::BTreeMap;

use alloy_primitives::Address;
use settlekit_core::quote::{Quote, QuoteAsset};
use settlekit_core::value::{ChainId, Currency};

use super::columns::{self, Columns, columns};
use super::order::PartOutcome;
use super::quote::Terms;
use super::sql::{Database, Row, StoreError};
use super::statement::update;
use super::{hex, read_record};

/// The position in a currency at a hot wallet, in its smallest unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Position {
    /// Negative if merchants got more than they gave.
    pub(crate) posted: i128,
    /// Promised to merchants by the orders under way.
    pub(crate) reserved: i128,
}

columns! { Position { posted, reserved } }

/// A currency at a hot wallet on a chain.
pub(crate) type At<'a> = (ChainId, Address, &'a Currency);

/// The position in a currency at a hot wallet.
pub(crate) fn find(
    database: &mut dyn Database,
    (chain, wallet, currency): At<'_>,
) -> Result<Position, StoreError> {
    const FIND: &str = "SELECT posted, reserved FROM exchange_positions WHERE chain_id = ?1 AND currency = ?2 AND wallet = ?3";
    let wallet = hex(wallet);
    let named = [chain.into(), currency.as_str().into(), (&wallet).into()];
    Ok(columns::first(&database.query(FIND, &named)?)?.unwrap_or_default())
}

/// The sum of the positions on a chain in a currency.
pub(crate) fn on_chain(
    database: &mut dyn Database,
    chain: ChainId,
    currency: &Currency,
) -> Result<i128, StoreError> {
    const POSTED: &str =
        "SELECT posted FROM exchange_positions WHERE chain_id = ?1 AND currency = ?2";
    let rows = database.query(POSTED, &[chain.into(), currency.as_str().into()])?;
    rows.iter().try_fold(0_i128, |sum, row| {
        Ok(sum.saturating_add(columns::get(row, 0)?))
    })
}

/// The sum on a chain in a currency that orders under way will give to merchants.
pub(crate) fn promised(
    database: &mut dyn Database,
    chain: ChainId,
    currency: &Currency,
) -> Result<i128, StoreError> {
    const RESERVED: &str =
        "SELECT reserved FROM exchange_positions WHERE chain_id = ?1 AND currency = ?2";
    let rows = database.query(RESERVED, &[chain.into(), currency.as_str().into()])?;
    rows.iter().try_fold(0_i128, |sum, row| {
        Ok(sum.saturating_add(columns::get(row, 0)?))
    })
}

/// The position in a currency at a hot wallet, locked until the database transaction ends.
pub(crate) fn lock(
    database: &mut dyn Database,
    (chain, wallet, currency): At<'_>,
) -> Result<Position, StoreError> {
    const ENSURE: &str = "INSERT INTO exchange_positions (chain_id, currency, wallet, posted, reserved) VALUES (?1, ?2, ?3, ?4, ?4) \
         ON CONFLICT (chain_id, currency, wallet) DO NOTHING";
    const LOCK: &str = "SELECT posted, reserved FROM exchange_positions WHERE chain_id = ?1 AND currency = ?2 AND wallet = ?3 FOR UPDATE";
    let (wallet, zero) = (hex(wallet), 0_i128);
    let named = [chain.into(), currency.as_str().into(), (&wallet).into()];
    database.execute(ENSURE, &[named[0], named[1], named[2], zero.into()])?;
    let position = columns::first(&database.query(LOCK, &named)?)?;
    position.ok_or_else(|| StoreError::Broken("a position was not written".to_owned()))
}

/// Replaces a locked position.
pub(crate) fn set(
    database: &mut dyn Database,
    (chain, wallet, currency): At<'_>,
    position: Position,
) -> Result<(), StoreError> {
    update!(database, "exchange_positions" [chain_id: chain, currency: currency.as_str(), wallet: &hex(wallet)] {
        posted: position.posted,
        reserved: position.reserved,
    })
}

/// A currency on a chain.
type Of = (ChainId, Currency);

/// All positions, with their hot wallets.
pub(crate) fn all(
    database: &mut dyn Database,
) -> Result<Vec<(ChainId, Address, Currency, Position)>, StoreError> {
    const ALL: &str = "SELECT chain_id, currency, wallet, posted, reserved FROM exchange_positions";
    let rows = database.query(ALL, &[])?;
    let read = |row: &Row| {
        let (chain, currency) = of(row)?;
        let wallet = columns::get(row, 2)?;
        Ok((chain, wallet, currency, Position::read(row, 3)?))
    };
    rows.iter().map(read).collect()
}

/// The balances of the ledger accounts of trades at exchange accounts.
pub(crate) fn booked(database: &mut dyn Database) -> Result<Vec<(Of, i128)>, StoreError> {
    const BOOKED: &str =
        "SELECT chain_id, currency, posted FROM ledger_accounts WHERE kind = 'exchange'";
    let rows = database.query(BOOKED, &[])?;
    let read = |row: &Row| Ok((of(row)?, columns::get(row, 2)?));
    rows.iter().map(read).collect()
}

fn of(row: &Row) -> Result<Of, StoreError> {
    Ok((columns::get(row, 0)?, columns::get(row, 1)?))
}

/// The amounts that the parts of merchants' orders under way at exchange accounts buy, with the hot wallets that give them.
pub(crate) fn under_way(
    database: &mut dyn Database,
) -> Result<Vec<(QuoteAsset, i128, Address)>, StoreError> {
    const UNDER_WAY: &str = "SELECT q.record, q.terms, o.outcomes, e.part, e.wallet FROM exchange_orders e \
         JOIN orders o ON o.org_id = e.org_id AND o.id = e.order_id \
         JOIN quotes q ON q.org_id = o.org_id AND q.id = o.quote_id WHERE o.due_at IS NOT NULL";
    let mut under_way = Vec::new();
    for row in database.query(UNDER_WAY, &[])? {
        let outcomes: BTreeMap<u32, PartOutcome> = read_record(row.text(2)?)?;
        let part: u32 = columns::get(&row, 3)?;
        if outcomes.contains_key(&part) {
            continue;
        }
        let (quote, terms): (Quote, Terms) =
            (read_record(row.text(0)?)?, read_record(row.text(1)?)?);
        let terms = usize::try_from(part)
            .ok()
            .and_then(|part| terms.executions.get(part));
        let terms = terms.ok_or_else(|| StoreError::Damaged("an order has no part".to_owned()))?;
        under_way.push((quote.buy_asset, terms.bought, columns::get(&row, 4)?));
    }
    Ok(under_way)
}
