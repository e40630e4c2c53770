//! Sends the orders at exchange accounts: each at most once, and its outcome is asked for until it is known.
//!
//! An order is Sent in the database before its request leaves. From then on the exchange is only asked about it, by an id that no
//! other order has. It counts as not placed once several answers in a row omit it, the last one long after its deadline.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::access::Access;
use super::instruction::{self, ABSENCES_MIN, ASK_INTERVAL, ask_interval};
use super::kraken::retry_delay;
use super::kraken_orders::{self, ListedOrder};
use super::markets::{raise_market_fee, record_refusal};
use super::{ExchangeError, SignedRequest};
use crate::money::web_answer::WebAnswer;
use crate::store::exchange;
use crate::store::exchange_order::{self, ExchangeOrderStatus, StoredOrder};
use crate::store::order;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// How long an order waits for a server: a price is soon out of date.
const NEW_MAX: Duration = Duration::from_secs(60);

/// The time until the exchange's deadline for an order. It allows at most 60 seconds.
const DEADLINE: Duration = Duration::from_secs(30);

/// The time after the deadline from which an order that the exchange does not list was not placed.
const NOT_PLACED_AFTER: Duration = Duration::from_secs(5 * 60);

/// The time after which the outcome of an order is given up.
const UNKNOWN_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The longest interval between two questions about an order.
const ASK_INTERVAL_MAX: Duration = Duration::from_secs(60);

/// Whether new orders waited too long.
pub(super) fn has_expired(database: &mut dyn Database, now: Timestamp) -> Result<bool, StoreError> {
    exchange_order::has_expired(database, now, NEW_MAX)
}

/// Ends the new orders that waited too long. A clock that was ahead when it was ordered makes an order no younger.
pub(super) fn refuse_expired(unit: &mut Unit<'_>) -> Result<(), StoreError> {
    for order in exchange_order::lock_expired(unit.database, unit.now, NEW_MAX)? {
        refuse(unit, order, "no server sent it within a minute of its time")?;
    }
    Ok(())
}

/// Ends a new order, which is not sent.
pub(super) fn refuse(
    unit: &mut Unit<'_>,
    order: StoredOrder,
    error: &str,
) -> Result<(), StoreError> {
    finish(unit, order, ExchangeOrderStatus::Refused, error)
}

/// Records that an order can be neither sent nor asked for: the credentials of its account are damaged.
pub(super) fn record_no_credentials(
    unit: &mut Unit<'_>,
    order: StoredOrder,
    error: ExchangeError,
) -> Result<(), StoreError> {
    match order.status {
        ExchangeOrderStatus::New => refuse(unit, order, &error.to_string()),
        _ => record_failure(unit, order, &error.to_string(), Duration::ZERO),
    }
}

/// The request that places an order, which is Sent from now on.
pub(super) fn place(
    unit: &mut Unit<'_>,
    order: StoredOrder,
    access: Access<'_>,
) -> Result<Vec<SignedRequest>, StoreError> {
    let now = unit.now;
    let sent = StoredOrder {
        status: ExchangeOrderStatus::Sent,
        sent_at: Some(now),
        state: order.state.after_request(now),
        ..order
    };
    exchange_order::update(unit.database, &sent)?;
    let deadline = now.plus(DEADLINE);
    Ok(vec![kraken_orders::add_order(access, &sent, deadline)])
}

/// The requests that ask for an order: among the closed ones, then among the open ones.
pub(super) fn query(
    unit: &mut Unit<'_>,
    order: StoredOrder,
    access: Access<'_>,
) -> Result<Vec<SignedRequest>, StoreError> {
    let requests = kraken_orders::find_order(access, &order.id);
    let state = order.state.after_request(unit.now);
    exchange_order::update(unit.database, &StoredOrder { state, ..order })?;
    Ok(requests)
}

/// The order, if it was sent and the question of this time is the latest about it.
fn lock_asked(
    unit: &mut Unit<'_>,
    (id, asked_at): (&str, Timestamp),
) -> Result<Option<StoredOrder>, StoreError> {
    let order = exchange_order::lock(unit.database, id)?;
    let is_latest = |order: &StoredOrder| {
        order.status == ExchangeOrderStatus::Sent && order.state.asked_at == asked_at
    };
    Ok(order.filter(is_latest))
}

/// Records the answer to the request that places an order, in the round of its id and this time. Whatever it is, the order is asked for.
pub(super) fn record_placement(
    unit: &mut Unit<'_>,
    round: (&str, Timestamp),
    answer: &WebAnswer,
) -> Result<(), StoreError> {
    let now = unit.now;
    let Some(order) = lock_asked(unit, round)? else {
        return Ok(());
    };
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
            record_refusal(unit, &order, error)?;
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

/// Records the exchange's entries of an order, in the round of its id and this time.
pub(super) fn record_query(
    unit: &mut Unit<'_>,
    round: (&str, Timestamp),
    answers: (&WebAnswer, &WebAnswer),
) -> Result<(), StoreError> {
    let now = unit.now;
    let Some(order) = lock_asked(unit, round)? else {
        return Ok(());
    };
    match kraken_orders::parse_listed(answers, &order) {
        Ok(Some(ListedOrder::Closed(exchange_id, execution))) => {
            let closed = StoredOrder {
                status: ExchangeOrderStatus::Closed,
                exchange_id: Some(exchange_id),
                execution: Some(execution),
                state: order.state.after_success(now, now, None),
                ..order
            };
            raise_market_fee(unit, &closed)?;
            end(unit, &closed)
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
        return finish(unit, order, ExchangeOrderStatus::Refused, &refusal);
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
        return finish(unit, absent, ExchangeOrderStatus::NotPlaced, &error);
    }
    if is_unknown(&absent, now) {
        return give_up(unit, absent);
    }
    let interval = ask_interval(absent.absences, ASK_INTERVAL_MAX);
    ask_at(unit, absent, now.plus(interval))
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
    finish(unit, order, ExchangeOrderStatus::Unknown, &error)
}

/// Asks again at a time, after an answer.
fn ask_at(unit: &mut Unit<'_>, order: StoredOrder, at: Timestamp) -> Result<(), StoreError> {
    let state = instruction::asked_again_at(&order.state, unit.now, at);
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
) -> Result<(), StoreError> {
    let now = unit.now;
    let last_error = Some(error.to_owned()).filter(|error| !error.is_empty());
    let state = order.state.after_success(now, now, last_error);
    let ended = StoredOrder {
        status,
        state,
        ..order
    };
    end(unit, &ended)
}

/// Ends an order. The merchant's order continues.
fn end(unit: &mut Unit<'_>, ended: &StoredOrder) -> Result<(), StoreError> {
    exchange_order::update(unit.database, ended)?;
    if ended.sent_at.is_some() {
        exchange::record_ended_order(unit.database, &ended.account)?;
    }
    match ended.covers {
        Some(covered) => order::wake(unit.database, covered.of, unit.now),
        None => Ok(()),
    }
}
