//! Orders at exchange accounts, as an operator places and lists them. `order_rounds` sends them.

use settlekit_core::value::{Amount, Timestamp};
use uuid::Builder;

use super::{Execution, Side};
use crate::Service;
use crate::mode::Mode;
use crate::random::{Random, Seed};
use crate::store::exchange;
use crate::store::exchange_order::{self, ExchangeOrderStatus, StoredOrder};
use crate::store::poll_state::PollState;
use crate::store::sql::{Database, StoreError};

/// The most orders of the list.
pub const ORDERS_LISTED: i64 = 100;

/// An order to place at an exchange account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewExchangeOrder {
    /// The name of the account.
    pub account: String,
    /// Two symbols: `USDC/EUR`.
    pub market: String,
    /// Whether it buys or sells the first currency.
    pub side: Side,
    /// Of the first currency.
    pub volume: Amount,
    /// The limit, in the second currency.
    pub price: Amount,
}

/// Why an order is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExchangeOrderError {
    /// A sandbox has no exchange accounts.
    Sandbox,
    /// No account has the name.
    NotConnected(String),
    /// Trading is off for the account.
    TradingOff(String),
    /// The market is not two different symbols.
    Market,
    /// The volume is not positive.
    Volume,
    /// The price is not positive.
    Price,
    /// The database failed.
    Store(StoreError),
}

impl std::fmt::Display for ExchangeOrderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sandbox => {
                f.write_str("the database is a sandbox: exchange accounts are for live databases")
            }
            Self::NotConnected(name) => write!(f, "no exchange account {name} is connected"),
            Self::TradingOff(name) => write!(
                f,
                "trading is off for {name}: switch it on with `settlekit exchange trading on`"
            ),
            Self::Market => f.write_str("the market needs two symbols, as in USDC/EUR"),
            Self::Volume => f.write_str("the volume must be positive"),
            Self::Price => f.write_str("the price must be positive"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExchangeOrderError {}

impl From<StoreError> for ExchangeOrderError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// An order at an exchange account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeOrder {
    /// The id that the exchange was given.
    pub id: String,
    /// What was ordered.
    pub order: NewExchangeOrder,
    /// The status.
    pub status: ExchangeOrderStatus,
    /// The exchange's own id.
    pub exchange_id: Option<String>,
    /// What was executed, once the order is closed.
    pub execution: Option<Execution>,
    /// Why it was refused, or why its outcome could not be found last.
    pub last_error: Option<String>,
    /// When it was ordered.
    pub created_at: Timestamp,
}

impl From<StoredOrder> for ExchangeOrder {
    fn from(stored: StoredOrder) -> Self {
        Self {
            id: stored.id,
            order: NewExchangeOrder {
                account: stored.account,
                market: stored.market,
                side: stored.side,
                volume: stored.volume,
                price: stored.price,
            },
            status: stored.status,
            exchange_id: stored.exchange_id,
            execution: stored.execution,
            last_error: stored.state.last_error,
            created_at: stored.created_at,
        }
    }
}

impl Service {
    /// Stores an order, which a running server sends within a minute or not at all. Returns its id.
    ///
    /// # Errors
    /// [`ExchangeOrderError`].
    pub fn order_at_exchange(
        &self,
        database: &mut dyn Database,
        new: &NewExchangeOrder,
        now: Timestamp,
        seed: Seed,
    ) -> Result<String, ExchangeOrderError> {
        check(self.options().mode, new)?;
        self.transact(database, |database| {
            let account = exchange::lock(database, &new.account)?;
            let error = match account {
                None => Some(ExchangeOrderError::NotConnected(new.account.clone())),
                Some(account) if !account.trading => {
                    Some(ExchangeOrderError::TradingOff(account.name))
                }
                Some(_) => None,
            };
            if let Some(error) = error {
                return Ok(Err(error));
            }
            let id = Builder::from_random_bytes(Random::new(seed).bytes()).into_uuid();
            let order = stored(new, id.to_string(), now);
            exchange_order::insert(database, &order)?;
            Ok(Ok(order.id))
        })?
    }

    /// How many orders are in doubt, by account and status: those whose outcome is asked for, and those without one.
    ///
    /// # Errors
    /// If the database failed.
    pub fn exchange_orders_in_doubt(
        &self,
        database: &mut dyn Database,
    ) -> Result<Vec<(String, ExchangeOrderStatus, u64)>, StoreError> {
        exchange_order::in_doubt(database)
    }

    /// The latest orders at exchange accounts, newest first: at most [`ORDERS_LISTED`].
    ///
    /// # Errors
    /// If the database failed.
    pub fn exchange_orders(
        &self,
        database: &mut dyn Database,
    ) -> Result<Vec<ExchangeOrder>, StoreError> {
        let latest = exchange_order::latest(database, ORDERS_LISTED)?;
        Ok(latest.into_iter().map(ExchangeOrder::from).collect())
    }
}

fn check(mode: Mode, new: &NewExchangeOrder) -> Result<(), ExchangeOrderError> {
    if mode != Mode::Live {
        return Err(ExchangeOrderError::Sandbox);
    }
    let is_symbol = |text: &str| {
        let is_allowed = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        (2..=10).contains(&text.len()) && text.bytes().all(is_allowed)
    };
    match new.market.split_once('/') {
        Some((first, second)) if is_symbol(first) && is_symbol(second) && first != second => {}
        _ => return Err(ExchangeOrderError::Market),
    }
    if !new.volume.is_positive() {
        return Err(ExchangeOrderError::Volume);
    }
    if !new.price.is_positive() {
        return Err(ExchangeOrderError::Price);
    }
    Ok(())
}

fn stored(new: &NewExchangeOrder, id: String, now: Timestamp) -> StoredOrder {
    StoredOrder {
        id,
        account: new.account.clone(),
        market: new.market.clone(),
        side: new.side,
        volume: new.volume,
        price: new.price,
        status: ExchangeOrderStatus::New,
        exchange_id: None,
        refusal: None,
        absences: 0,
        execution: None,
        created_at: now,
        sent_at: None,
        state: PollState::due_at(now),
    }
}
