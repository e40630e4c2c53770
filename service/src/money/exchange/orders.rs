//! Orders at exchange accounts, as an operator places and lists them, and as they cover merchants' orders. `order_rounds` sends them.

use settlekit_core::value::{Amount, ChainId, Currency, OrderId, OrganisationId, Timestamp};
use uuid::Builder;

use super::kraken_orders::is_within_limits;
use super::{Execution, Side, position};
use crate::Service;
use crate::mode::Mode;
use crate::random::{Random, Seed};
use crate::store;
use crate::store::exchange;
use crate::store::exchange_market;
use crate::store::exchange_order::{self, CoveredPart, ExchangeOrderStatus, StoredOrder};
use crate::store::execution::OrderTerms;
use crate::store::order::OrderPart;
use crate::store::poll_state::PollState;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// The most orders of the list.
pub const ORDERS_LISTED: i64 = 100;

/// With this many orders of an account under way, an operator's own among them, no other one covers a merchant's order: each waits for
/// those before it, a second each, and is given up after a minute.
const OF_ACCOUNT_MAX: usize = 20;

/// The most orders under way that cover those of one merchant.
const OF_MERCHANT_MAX: usize = 3;

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
    /// No order of this id has an unknown outcome.
    NotInDoubt(String),
    /// The execution is larger than the order, or at a worse price.
    Execution,
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
            Self::NotInDoubt(id) => write!(f, "no order {id} has the status Unknown"),
            Self::Execution => f.write_str(
                "the executed amounts must be within the order: no more than its volume, at its price or better",
            ),
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
    /// The merchant's order that it covers, and the index of the sold currency.
    pub covers: Option<(OrganisationId, OrderId, u32)>,
    /// The order.
    pub order: NewExchangeOrder,
    /// The status.
    pub status: ExchangeOrderStatus,
    /// The exchange's own id.
    pub exchange_id: Option<String>,
    /// The execution, once the order is closed.
    pub execution: Option<Execution>,
    /// Why it was refused, or why its outcome could not be found last.
    pub last_error: Option<String>,
    /// When it was ordered.
    pub created_at: Timestamp,
}

impl From<StoredOrder> for ExchangeOrder {
    fn from(stored: StoredOrder) -> Self {
        let covered = stored.covers.map(|covered| covered.of);
        Self {
            id: stored.id,
            covers: covered.map(|of| (of.organisation, of.order, of.part)),
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
            let order = stored(new, (id.to_string(), None), now);
            exchange_order::insert(database, &order)?;
            Ok(Ok(order.id))
        })?
    }

    /// Enters the outcome of an order that could not be found, as the operator has seen it at the exchange. The merchant's order continues.
    ///
    /// # Errors
    /// [`ExchangeOrderError::NotInDoubt`] and [`ExchangeOrderError::Execution`].
    pub fn resolve_exchange_order(
        &self,
        database: &mut dyn Database,
        id: &str,
        execution: Execution,
        now: Timestamp,
    ) -> Result<(), ExchangeOrderError> {
        self.transact(database, |database| {
            let order = exchange_order::lock(database, id)?;
            let is_unknown = |order: &StoredOrder| order.status == ExchangeOrderStatus::Unknown;
            let Some(order) = order.filter(is_unknown) else {
                return Ok(Err(ExchangeOrderError::NotInDoubt(id.to_owned())));
            };
            if !is_within_limits(&execution, &order) {
                return Ok(Err(ExchangeOrderError::Execution));
            }
            let closed = StoredOrder {
                status: ExchangeOrderStatus::Closed,
                execution: Some(execution),
                ..order
            };
            exchange_order::update(database, &closed)?;
            if let Some(covered) = closed.covers {
                store::order::wake(database, covered.of, now)?;
            }
            Ok(Ok(()))
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
    if !is_market(&new.market) {
        return Err(ExchangeOrderError::Market);
    }
    if !new.volume.is_positive() {
        return Err(ExchangeOrderError::Volume);
    }
    if !new.price.is_positive() {
        return Err(ExchangeOrderError::Price);
    }
    Ok(())
}

/// Whether a text is two different symbols: `USDC/EUR`.
pub(super) fn is_market(text: &str) -> bool {
    let is_symbol = |text: &str| {
        let is_allowed = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        (2..=10).contains(&text.len()) && text.bytes().all(is_allowed)
    };
    let symbols = text.split_once('/');
    symbols.is_some_and(|(first, second)| is_symbol(first) && is_symbol(second) && first != second)
}

/// The outcome of covering a merchant's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Covering {
    /// The order that covers it is stored, and a running server sends it.
    Stored,
    /// Too many orders are under way: later.
    AtLimit,
    /// Trading is off for the account, the market was removed or has a refusal, or the operator has less than the merchant would get.
    Refused,
}

/// Stores the order that covers a part of a merchant's, and reserves the amount that the merchant will get.
pub(crate) fn cover(
    unit: &mut Unit<'_>,
    of: OrderPart,
    terms: &OrderTerms,
    (chain, currency, units): (ChainId, &Currency, i128),
) -> Result<Covering, StoreError> {
    let account = exchange::lock(unit.database, &terms.account)?;
    if !account.is_some_and(|account| account.trading) {
        return Ok(Covering::Refused);
    }
    // The exchange takes about one order a second, of all merchants.
    let under_way = exchange_order::under_way(unit.database)?;
    let of_account = under_way.iter().filter(|(of, _)| *of == terms.account);
    let of_merchant = under_way
        .iter()
        .filter(|(_, merchant)| *merchant == Some(of.organisation));
    if of_account.count() >= OF_ACCOUNT_MAX || of_merchant.count() >= OF_MERCHANT_MAX {
        return Ok(Covering::AtLimit);
    }
    let market = exchange_market::find(unit.database, (&terms.account, &terms.market))?;
    // The limit of the quote leaves no room for a higher fee.
    let is_traded =
        market.is_some_and(|market| market.refusal.is_none() && market.terms.fee <= terms.fee);
    let wallet = store::wallet::current_wallet(unit.database)?;
    let Some(wallet) = wallet.filter(|_| is_traded) else {
        return Ok(Covering::Refused);
    };
    let wallet = wallet.address;
    if !position::reserve(unit.database, (chain, wallet, currency), units)? {
        return Ok(Covering::Refused);
    }
    let new = NewExchangeOrder {
        account: terms.account.clone(),
        market: terms.market.clone(),
        side: Side::of_terms(terms),
        volume: terms.volume,
        price: terms.limit,
    };
    let id = Builder::from_random_bytes(unit.random.bytes()).into_uuid();
    let covered = CoveredPart { of, wallet };
    let order = stored(&new, (id.to_string(), Some(covered)), unit.now);
    exchange_order::insert(unit.database, &order)?;
    Ok(Covering::Stored)
}

fn stored(
    new: &NewExchangeOrder,
    (id, covers): (String, Option<CoveredPart>),
    now: Timestamp,
) -> StoredOrder {
    StoredOrder {
        id,
        covers,
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
