//! Sends the orders at exchange accounts: each at most once, and its outcome is asked for until it is known.
//!
//! An order is Sent in the database before its request leaves. From then on the exchange is only asked about it, by an id that no
//! other order has. It was not placed if the exchange lists it nowhere, again and again, long after the deadline at which the exchange
//! refuses it.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::kraken_orders::{self, ListedOrder, Placement};
use super::reader::{credentials_of, next_nonce, retry_delay};
use super::{ExchangeError, SignedRequest};
use crate::Service;
use crate::money::web_answer::WebAnswer;
use crate::random::{Random, Seed};
use crate::secret::master_key;
use crate::store::exchange::{self, Connected};
use crate::store::exchange_order::{self, ExchangeOrderStatus, StoredOrder};
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// How long an order waits for a server: a price is soon out of date.
const NEW_MAX: Duration = Duration::from_secs(60);

/// The time until the exchange's deadline for an order. It allows at most 60 seconds.
const DEADLINE: Duration = Duration::from_secs(30);

/// The time after the deadline from which an order that the exchange does not list was not placed.
const NOT_PLACED_AFTER: Duration = Duration::from_secs(5 * 60);

/// How often the exchange must not list an order before it was not placed: clocks may be wrong, and lists may lag after an outage.
const ABSENCES_MIN: u32 = 6;

/// The time after which the outcome of an order is given up.
const UNKNOWN_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The first interval between two questions about an order that is open or not listed. It doubles with each answer that does not list
/// the order.
const ASK_INTERVAL: Duration = Duration::from_secs(5);

/// The longest interval.
const ASK_INTERVAL_MAX: Duration = Duration::from_secs(60);

/// The most orders of one round.
const ROUND_MAX: i64 = 50;

/// The requests of a round.
#[derive(Debug, Clone)]
enum OrderRequests {
    /// Places the order.
    Place(SignedRequest),
    /// Asks for the order among the closed ones, then among the open ones.
    Query(SignedRequest, SignedRequest),
}

/// Requests about an order to send now, one after the other.
#[derive(Debug, Clone)]
pub struct OrderRound {
    /// The id of the order.
    pub order: String,
    requests: OrderRequests,
    asked_at: Timestamp,
}

impl OrderRound {
    /// The requests, in their order.
    pub fn requests(&self) -> Vec<&SignedRequest> {
        match &self.requests {
            OrderRequests::Place(request) => vec![request],
            OrderRequests::Query(closed, open) => vec![closed, open],
        }
    }
}

impl Service {
    /// Whether orders are due. It only reads: check it before [`Service::exchange_order_rounds`].
    ///
    /// # Errors
    /// If the database failed.
    pub fn has_due_exchange_orders(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        Ok(!exchange_order::due(database, now, 1)?.is_empty())
    }

    /// The rounds of due orders, and what an operator has to look at, for the log. Each is asked again after a minute unless it is
    /// reported, so that of several servers one asks.
    ///
    /// # Errors
    /// If the database failed, or has another master key.
    pub fn exchange_order_rounds(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(Vec<OrderRound>, Vec<String>), StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            let mut rounds = Vec::new();
            for id in exchange_order::due(unit.database, now, ROUND_MAX)? {
                rounds.extend(round(&mut unit, &id)?);
            }
            Ok((rounds, unit.failures))
        })
    }

    /// Takes the answers of a round, in the order of its requests. Returns what an operator has to look at, for the log.
    ///
    /// # Errors
    /// If the database failed.
    pub fn report_exchange_order(
        &self,
        database: &mut dyn Database,
        round: &OrderRound,
        answers: &[WebAnswer],
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<String>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            report(&mut unit, round, answers)?;
            Ok(unit.failures)
        })
    }
}

/// Claims an order, if it is due, and makes its requests.
fn round(unit: &mut Unit<'_>, id: &str) -> Result<Option<OrderRound>, StoreError> {
    let now = unit.now;
    let Some(order) = exchange_order::lock(unit.database, id)? else {
        return Ok(None);
    };
    let is_due = match order.status {
        ExchangeOrderStatus::New => true,
        ExchangeOrderStatus::Sent => order.state.is_due(now),
        _ => false,
    };
    // Locked before the question below: of two servers one sees what the other asks.
    let account = exchange::lock(unit.database, &order.account)?;
    // A request that is overtaken by one with a higher nonce is refused.
    if !is_due || exchange_order::has_request_in_flight(unit.database, &order.account, now)? {
        return Ok(None);
    }
    match order.status {
        ExchangeOrderStatus::New => place(unit, order, account),
        _ => query(unit, order, account),
    }
}

fn place(
    unit: &mut Unit<'_>,
    order: StoredOrder,
    account: Option<Connected>,
) -> Result<Option<OrderRound>, StoreError> {
    let now = unit.now;
    // A clock that was ahead when it was ordered makes it no younger.
    let age = now.since(order.created_at).max(order.created_at.since(now));
    if age > NEW_MAX {
        return finish(
            unit,
            order,
            ExchangeOrderStatus::Refused,
            "no server sent it within a minute of its time",
        );
    }
    let Some(account) = account else {
        return finish(
            unit,
            order,
            ExchangeOrderStatus::Refused,
            "the account was disconnected",
        );
    };
    if !account.trading {
        return finish(
            unit,
            order,
            ExchangeOrderStatus::Refused,
            "trading was switched off",
        );
    }
    master_key::require_current(unit.service, unit.database)?;
    let Some(credentials) = credentials_of(unit, &account) else {
        let error = ExchangeError::CredentialsDamaged.to_string();
        return finish(unit, order, ExchangeOrderStatus::Refused, &error);
    };
    let nonce = next_nonce(now, account.nonce);
    exchange::set_nonce(unit.database, &account.name, nonce)?;
    let sent = StoredOrder {
        status: ExchangeOrderStatus::Sent,
        sent_at: Some(now),
        state: order.state.after_request(now),
        ..order
    };
    exchange_order::update(unit.database, &sent)?;
    let placement = Placement {
        id: &sent.id,
        market: &sent.market,
        side: sent.side,
        volume: sent.volume,
        price: sent.price,
        deadline: now.plus(DEADLINE),
    };
    let request = kraken_orders::add_order(&account.url, &credentials, nonce, &placement);
    Ok(Some(OrderRound {
        order: sent.id,
        requests: OrderRequests::Place(request),
        asked_at: now,
    }))
}

/// Asks for an order that was sent, if it can be asked for.
fn query(
    unit: &mut Unit<'_>,
    order: StoredOrder,
    account: Option<Connected>,
) -> Result<Option<OrderRound>, StoreError> {
    let now = unit.now;
    // Accounts with orders under way stay connected.
    let Some(account) = account else {
        return record_failure(unit, order, "the account is not connected", Duration::ZERO)
            .map(|()| None);
    };
    master_key::require_current(unit.service, unit.database)?;
    let Some(credentials) = credentials_of(unit, &account) else {
        let error = ExchangeError::CredentialsDamaged.to_string();
        return record_failure(unit, order, &error, Duration::ZERO).map(|()| None);
    };
    let nonce = next_nonce(now, account.nonce);
    exchange::set_nonce(unit.database, &account.name, nonce + 1)?;
    let closed = kraken_orders::closed_order(&account.url, &credentials, nonce, &order.id);
    let open = kraken_orders::open_order(&account.url, &credentials, nonce + 1, &order.id);
    let state = order.state.after_request(now);
    exchange_order::update(
        unit.database,
        &StoredOrder {
            state,
            ..order.clone()
        },
    )?;
    Ok(Some(OrderRound {
        order: order.id,
        requests: OrderRequests::Query(closed, open),
        asked_at: now,
    }))
}

fn report(
    unit: &mut Unit<'_>,
    round: &OrderRound,
    answers: &[WebAnswer],
) -> Result<(), StoreError> {
    let order = exchange_order::lock(unit.database, &round.order)?;
    let is_latest = |order: &StoredOrder| {
        order.status == ExchangeOrderStatus::Sent && order.state.asked_at == round.asked_at
    };
    let Some(order) = order.filter(is_latest) else {
        return Ok(());
    };
    match (&round.requests, answers) {
        (OrderRequests::Place(_), [answer]) => record_placement(unit, order, answer),
        (OrderRequests::Query(..), [closed, open]) => record_query(unit, order, (closed, open)),
        _ => Err(StoreError::Broken(
            "a round of an order has an answer for each request".to_owned(),
        )),
    }
}

/// Records the answer to the request that places an order. Whatever it is, the order is asked for.
fn record_placement(
    unit: &mut Unit<'_>,
    order: StoredOrder,
    answer: &WebAnswer,
) -> Result<(), StoreError> {
    let now = unit.now;
    match kraken_orders::parse_added(answer) {
        Ok(exchange_id) => {
            let confirmed = StoredOrder {
                exchange_id: Some(exchange_id),
                ..order
            };
            ask_at(unit, confirmed, now)
        }
        // A repeated request may have been refused, and the first one not.
        Err(error) if error.is_final() => {
            let refused = StoredOrder {
                refusal: Some(error.to_string()),
                ..order
            };
            ask_at(unit, refused, now.plus(ASK_INTERVAL))
        }
        Err(error) => {
            let delay = retry_delay(answer, error);
            record_failure(unit, order, &error.to_string(), delay)
        }
    }
}

/// Records what the exchange lists of an order.
fn record_query(
    unit: &mut Unit<'_>,
    order: StoredOrder,
    answers: (&WebAnswer, &WebAnswer),
) -> Result<(), StoreError> {
    let now = unit.now;
    match kraken_orders::parse_listed(answers, &order) {
        Ok(Some(ListedOrder::Closed(exchange_id, execution))) => {
            let closed = StoredOrder {
                status: ExchangeOrderStatus::Closed,
                exchange_id: Some(exchange_id),
                execution: Some(execution),
                state: order.state.after_success(now, now, None),
                ..order
            };
            exchange_order::update(unit.database, &closed)
        }
        Ok(Some(ListedOrder::Open(exchange_id))) => {
            let open = StoredOrder {
                exchange_id: Some(exchange_id),
                ..order
            };
            ask_at(unit, open, now.plus(ASK_INTERVAL))
        }
        Ok(None) => record_absence(unit, order),
        Err(error) => {
            let (closed, open) = answers;
            let delay = retry_delay(closed, error).max(retry_delay(open, error));
            record_failure(unit, order, &error.to_string(), delay)
        }
    }
}

/// Records that the exchange lists an order nowhere.
fn record_absence(unit: &mut Unit<'_>, order: StoredOrder) -> Result<(), StoreError> {
    if let Some(refusal) = order.refusal.clone() {
        return finish(unit, order, ExchangeOrderStatus::Refused, &refusal).map(drop);
    }
    let now = unit.now;
    let absent = StoredOrder {
        absences: order.absences.saturating_add(1),
        ..order
    };
    // By the time of the question: a report may be late.
    let asked_after = absent.state.asked_at.since(sent_at(&absent));
    let is_listed_by_now =
        asked_after > DEADLINE + NOT_PLACED_AFTER && absent.absences >= ABSENCES_MIN;
    // An order that the exchange has confirmed exists.
    if is_listed_by_now && absent.exchange_id.is_none() {
        let error = absent.state.last_error.clone().unwrap_or_default();
        return finish(unit, absent, ExchangeOrderStatus::NotPlaced, &error).map(drop);
    }
    if is_unknown(&absent, now) {
        return give_up(unit, absent);
    }
    let doubled = ASK_INTERVAL.saturating_mul(2_u32.saturating_pow(absent.absences - 1));
    ask_at(unit, absent, now.plus(doubled.min(ASK_INTERVAL_MAX)))
}

/// When the request left, at the earliest.
fn sent_at(order: &StoredOrder) -> Timestamp {
    order.sent_at.unwrap_or(order.created_at)
}

/// Whether an order was asked for long enough.
fn is_unknown(order: &StoredOrder, now: Timestamp) -> bool {
    now.since(sent_at(order)) > UNKNOWN_AFTER
}

/// Ends an order whose outcome cannot be found.
fn give_up(unit: &mut Unit<'_>, order: StoredOrder) -> Result<(), StoreError> {
    let failure = format!(
        "the outcome of order {} at {} was not found within a day: look for it at the exchange",
        order.id, order.account
    );
    unit.failures.push(failure);
    let error = order.state.last_error.clone().unwrap_or_default();
    finish(unit, order, ExchangeOrderStatus::Unknown, &error).map(drop)
}

/// Asks again at a time, after an answer.
fn ask_at(unit: &mut Unit<'_>, order: StoredOrder, at: Timestamp) -> Result<(), StoreError> {
    let error = order.state.last_error.clone();
    let state = order.state.after_success(unit.now, at, error);
    exchange_order::update(unit.database, &StoredOrder { state, ..order })
}

/// Records that an order could not be asked for; asks again after a back-off, for a day.
fn record_failure(
    unit: &mut Unit<'_>,
    order: StoredOrder,
    error: &str,
    pause: Duration,
) -> Result<(), StoreError> {
    let state = order.state.after_refusal(unit.now, error, pause);
    let failed = StoredOrder {
        absences: 0,
        state,
        ..order
    };
    if is_unknown(&failed, unit.now) {
        return give_up(unit, failed);
    }
    if failed.state.failures == 1 {
        let failure = format!(
            "the outcome of order {} at {} is not known yet: {error}",
            failed.id, failed.account
        );
        unit.failures.push(failure);
    }
    exchange_order::update(unit.database, &failed)
}

/// Ends an order without an execution.
fn finish(
    unit: &mut Unit<'_>,
    order: StoredOrder,
    status: ExchangeOrderStatus,
    error: &str,
) -> Result<Option<OrderRound>, StoreError> {
    let now = unit.now;
    let last_error = Some(error.to_owned()).filter(|error| !error.is_empty());
    let state = order.state.after_success(now, now, last_error);
    let ended = StoredOrder {
        status,
        state,
        ..order
    };
    exchange_order::update(unit.database, &ended)?;
    Ok(None)
}
