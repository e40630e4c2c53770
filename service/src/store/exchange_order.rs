//! Orders at the operator's exchange accounts.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use alloy_primitives::Address;
use settlekit_core::value::{Amount, OrderId, OrganisationId, Timestamp};

use super::execution::{Execution as PartExecution, OrderTerms};
use super::order::{OrderPart, PartOutcome};
use super::poll_state::{DUE_MAX, PollState};
use super::quote::Terms;
use super::sql::{Database, Row, StoreError};
use super::statement::{insert, update};
use super::{columns, hex, read_record};

/// The side of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Buys the first currency of the market.
    Buy,
    /// Sells the first currency of the market.
    Sell,
}

/// The status of an order at an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeOrderStatus {
    /// No request was sent.
    New,
    /// A request may have been sent, and the outcome is not known.
    Sent,
    /// The exchange has closed the order: its execution is known.
    Closed,
    /// The exchange, or the service, has refused the order.
    Refused,
    /// The exchange does not list the order, long after its deadline.
    NotPlaced,
    /// No outcome was found within a day.
    Unknown,
}

impl Side {
    /// The side of an order that executes a quote.
    pub(crate) const fn of_terms(terms: &OrderTerms) -> Self {
        match terms.sells {
            true => Self::Sell,
            false => Self::Buy,
        }
    }
}

columns::stored_enum! { Side { Buy "buy", Sell "sell" } }
columns::stored_enum! { ExchangeOrderStatus {
    New "New", Sent "Sent", Closed "Closed", Refused "Refused", NotPlaced "NotPlaced", Unknown "Unknown",
} }

/// The execution of an order, in the currencies of its market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Execution {
    /// Bought or sold, in the first currency.
    pub volume: Amount,
    /// Paid or received for it, in the second currency.
    pub cost: Amount,
    /// The fee, in the second currency.
    pub fee: Amount,
}

/// The part of a merchant's order that one at an exchange account covers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoveredPart {
    pub(crate) of: OrderPart,
    /// The hot wallet that pays the merchant.
    pub(crate) wallet: Address,
}

/// An order at an exchange account. It trades at once at its limit or better; the rest is canceled.
#[derive(Debug, Clone)]
pub(crate) struct StoredOrder {
    /// The id that the exchange is given.
    pub(crate) id: String,
    /// The part of a merchant's order that it covers.
    pub(crate) covers: Option<CoveredPart>,
    pub(crate) account: String,
    /// Two symbols: `USDC/EUR`.
    pub(crate) market: String,
    pub(crate) side: Side,
    pub(crate) volume: Amount,
    /// The limit.
    pub(crate) price: Amount,
    pub(crate) status: ExchangeOrderStatus,
    /// The exchange's own id.
    pub(crate) exchange_id: Option<String>,
    /// The exchange's refusal, until it does not list the order either.
    pub(crate) refusal: Option<String>,
    /// Answers since the last failure that list the order nowhere.
    pub(crate) absences: u32,
    pub(crate) execution: Option<Execution>,
    pub(crate) created_at: Timestamp,
    pub(crate) sent_at: Option<Timestamp>,
    pub(crate) state: PollState,
}

/// The columns before those of [`PollState`].
const STATE: usize = 19;

impl columns::Columns for StoredOrder {
    fn read(row: &Row, first: usize) -> Result<Self, StoreError> {
        let executed: Option<Amount> = columns::get(row, first + 10)?;
        let execution = match executed {
            Some(volume) => Some(Execution {
                volume,
                cost: columns::get(row, first + 11)?,
                fee: columns::get(row, first + 12)?,
            }),
            None => None,
        };
        let organisation: Option<OrganisationId> = columns::get(row, first + 15)?;
        let covers = match organisation {
            Some(organisation) => Some(CoveredPart {
                of: OrderPart {
                    organisation,
                    order: columns::get(row, first + 16)?,
                    part: columns::get(row, first + 17)?,
                },
                wallet: columns::get(row, first + 18)?,
            }),
            None => None,
        };
        Ok(Self {
            id: columns::get(row, first)?,
            account: columns::get(row, first + 1)?,
            market: columns::get(row, first + 2)?,
            side: columns::get(row, first + 3)?,
            volume: columns::get(row, first + 4)?,
            price: columns::get(row, first + 5)?,
            status: columns::get(row, first + 6)?,
            exchange_id: columns::get(row, first + 7)?,
            refusal: columns::get(row, first + 8)?,
            absences: columns::get(row, first + 9)?,
            execution,
            created_at: columns::get(row, first + 13)?,
            sent_at: columns::get(row, first + 14)?,
            covers,
            state: PollState::read(row, first + STATE)?,
        })
    }
}

macro_rules! order_columns {
    () => {
        "SELECT id, account, market, side, volume, price, status, exchange_id, refusal, absences, executed, cost, fee, created_at, sent_at, \
         org_id, order_id, part, wallet, due_at, asked_at, failures, failing_since, last_error, succeeded_at FROM exchange_orders"
    };
}

// A server runs some of these every second: each has an index, so that it reads the orders under way and not all that ever were.

const LOCK_NEXT: &str = concat!(
    order_columns!(),
    " WHERE status IN ('New', 'Sent') AND account = ?1 AND (due_at <= ?2 OR due_at > ?3) \
     ORDER BY CASE status WHEN 'New' THEN 0 ELSE 1 END, due_at, id LIMIT 1 FOR UPDATE"
);
const UNDER_WAY: &str =
    "SELECT account, org_id FROM exchange_orders WHERE status IN ('New', 'Sent')";
const GIVEN: &str = "SELECT market, side, volume, price FROM exchange_orders WHERE status IN ('New', 'Sent') AND account = ?1";
const HAS_EXPIRED: &str = "SELECT id FROM exchange_orders \
     WHERE status = 'New' AND (created_at < ?1 OR created_at > ?2) LIMIT 1";
const LOCK_EXPIRED: &str = concat!(
    order_columns!(),
    " WHERE status = 'New' AND (created_at < ?1 OR created_at > ?2) ORDER BY created_at, id FOR UPDATE"
);
const IS_UNDER_WAY: &str =
    "SELECT id FROM exchange_orders WHERE status IN ('New', 'Sent') AND account = ?1 LIMIT 1";
const IN_DOUBT: &str = "SELECT account, status, COUNT(*) FROM exchange_orders \
     WHERE status IN ('Sent', 'Unknown') GROUP BY account, status ORDER BY account, status";
const LOCK: &str = concat!(order_columns!(), " WHERE id = ?1 FOR UPDATE");
const COVERING: &str = concat!(
    order_columns!(),
    " WHERE org_id = ?1 AND order_id = ?2 AND part = ?3"
);
const LATEST: &str = concat!(
    order_columns!(),
    " ORDER BY created_at DESC, id DESC LIMIT ?1"
);

/// Inserts a new order, which is due at once.
pub(crate) fn insert(database: &mut dyn Database, order: &StoredOrder) -> Result<(), StoreError> {
    insert!(database, "exchange_orders" {
        id: order.id.as_str(),
        org_id: order.covers.map(|covered| covered.of.organisation),
        order_id: order.covers.map(|covered| covered.of.order),
        part: order.covers.map(|covered| i64::from(covered.of.part)),
        wallet: &order.covers.map(|covered| hex(covered.wallet)),
        account: order.account.as_str(),
        market: order.market.as_str(),
        side: order.side.as_str(),
        volume: &order.volume.to_string(),
        price: &order.price.to_string(),
        status: order.status.as_str(),
        created_at: order.created_at,
        due_at: order.state.due_at,
    })
}

/// The next due order of an account, locked until the database transaction ends: a new one first, then the one that is due longest. A
/// due time far in the future was set by a clock that was ahead: it counts as due.
pub(crate) fn lock_next(
    database: &mut dyn Database,
    account: &str,
    now: Timestamp,
) -> Result<Option<StoredOrder>, StoreError> {
    let latest = now.plus(DUE_MAX);
    let values = [account.into(), now.into(), latest.into()];
    columns::first(&database.query(LOCK_NEXT, &values)?)
}

/// The orders under way: the account of each, and the organisation whose order it covers.
pub(crate) fn under_way(
    database: &mut dyn Database,
) -> Result<Vec<(String, Option<OrganisationId>)>, StoreError> {
    columns::all(&database.query(UNDER_WAY, &[])?)
}

/// The terms of an order under way, which limit the amount that it gives.
#[derive(Debug)]
pub(crate) struct OpenOrderTerms {
    pub(crate) market: String,
    pub(crate) side: Side,
    pub(crate) volume: Amount,
    pub(crate) price: Amount,
}

columns::columns! { OpenOrderTerms { market, side, volume, price } }

/// The orders of an account that are under way, with the amounts that they may give.
pub(crate) fn given(
    database: &mut dyn Database,
    account: &str,
) -> Result<Vec<OpenOrderTerms>, StoreError> {
    columns::all(&database.query(GIVEN, &[account.into()])?)
}

/// Whether a new order is older than `age_max`, or from further ahead.
pub(crate) fn has_expired(
    database: &mut dyn Database,
    now: Timestamp,
    age_max: Duration,
) -> Result<bool, StoreError> {
    let values = [now.minus(age_max).into(), now.plus(age_max).into()];
    Ok(!database.query(HAS_EXPIRED, &values)?.is_empty())
}

/// The new orders that are older than `age_max`, or from further ahead: locked until the database transaction ends.
pub(crate) fn lock_expired(
    database: &mut dyn Database,
    now: Timestamp,
    age_max: Duration,
) -> Result<Vec<StoredOrder>, StoreError> {
    let values = [now.minus(age_max).into(), now.plus(age_max).into()];
    columns::all(&database.query(LOCK_EXPIRED, &values)?)
}

/// Whether an account has an order under way.
pub(crate) fn is_under_way(database: &mut dyn Database, account: &str) -> Result<bool, StoreError> {
    Ok(!database.query(IS_UNDER_WAY, &[account.into()])?.is_empty())
}

/// How many orders are in doubt, by account and status.
pub(crate) fn in_doubt(
    database: &mut dyn Database,
) -> Result<Vec<(String, ExchangeOrderStatus, u64)>, StoreError> {
    let rows = database.query(IN_DOUBT, &[])?;
    let read = |row: &Row| {
        Ok((
            columns::get(row, 0)?,
            columns::get(row, 1)?,
            columns::get(row, 2)?,
        ))
    };
    rows.iter().map(read).collect()
}

/// An order, locked until the database transaction ends: of two servers one sends it.
pub(crate) fn lock(
    database: &mut dyn Database,
    id: &str,
) -> Result<Option<StoredOrder>, StoreError> {
    columns::first(&database.query(LOCK, &[id.into()])?)
}

/// The order that covers a part of one of a merchant.
pub(crate) fn covering(
    database: &mut dyn Database,
    of: OrderPart,
) -> Result<Option<StoredOrder>, StoreError> {
    let values = [of.organisation.into(), of.order.into(), of.part.into()];
    columns::first(&database.query(COVERING, &values)?)
}

/// The latest orders, newest first.
pub(crate) fn latest(
    database: &mut dyn Database,
    limit: i64,
) -> Result<Vec<StoredOrder>, StoreError> {
    columns::all(&database.query(LATEST, &[limit.into()])?)
}

/// Updates the columns of an order that change.
pub(crate) fn update(database: &mut dyn Database, order: &StoredOrder) -> Result<(), StoreError> {
    let text =
        |of: fn(&Execution) -> Amount| order.execution.as_ref().map(of).map(|of| of.to_string());
    update!(database, "exchange_orders" [id: order.id.as_str()] {
        status: order.status.as_str(),
        exchange_id: &order.exchange_id,
        refusal: &order.refusal,
        absences: order.absences,
        executed: &text(|execution| execution.volume),
        cost: &text(|execution| execution.cost),
        fee: &text(|execution| execution.fee),
        sent_at: order.sent_at,
        due_at: order.state.due_at,
        asked_at: order.state.asked_at,
        failures: order.state.failures,
        failing_since: order.state.failing_since,
        last_error: &order.state.last_error,
        succeeded_at: order.state.succeeded_at,
    })
}

/// The number of older orders of the same organisation with a part that waits for an order at an exchange, at most `max`. Few are open.
pub(crate) fn waiting_before(
    database: &mut dyn Database,
    of: OrderPart,
    max: usize,
) -> Result<usize, StoreError> {
    const OPEN: &str = "SELECT o.id, q.terms, o.outcomes FROM orders o JOIN quotes q ON q.org_id = o.org_id AND q.id = o.quote_id \
         WHERE o.org_id = ?1 AND o.due_at IS NOT NULL AND o.status = 'Processing' AND o.seq < (SELECT seq FROM orders WHERE org_id = ?1 AND id = ?2)";
    const PLACED: &str = "SELECT e.order_id, e.part FROM orders o JOIN exchange_orders e ON e.org_id = o.org_id AND e.order_id = o.id \
         WHERE o.org_id = ?1 AND o.due_at IS NOT NULL AND o.status = 'Processing'";
    let placed = database.query(PLACED, &[of.organisation.into()])?;
    let placed = placed
        .iter()
        .map(|row| Ok((columns::get(row, 0)?, columns::get(row, 1)?)));
    let placed = placed.collect::<Result<HashSet<(OrderId, u32)>, StoreError>>()?;
    let mut waiting = 0;
    for row in database.query(OPEN, &[of.organisation.into(), of.order.into()])? {
        let order: OrderId = columns::get(&row, 0)?;
        let terms: Terms = read_record(row.text(1)?)?;
        let outcomes: BTreeMap<u32, PartOutcome> = read_record(row.text(2)?)?;
        let waits = (0_u32..).zip(&terms.executions).any(|(part, terms)| {
            matches!(terms.execution, PartExecution::Order(_))
                && !outcomes.contains_key(&part)
                && !placed.contains(&(order, part))
        });
        waiting += usize::from(waits);
        if waiting == max {
            break;
        }
    }
    Ok(waiting)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::migrate::migrate;
    use crate::store::sqlite::Sqlite;

    #[test]
    fn no_query_reads_the_whole_history() {
        let mut database = Sqlite::in_memory().expect("memory");
        migrate(&mut database).expect("a schema");
        for (query, index) in [
            (LOCK_NEXT, "exchange_orders_under_way"),
            (UNDER_WAY, "exchange_orders_under_way"),
            (GIVEN, "exchange_orders_under_way"),
            (IS_UNDER_WAY, "exchange_orders_under_way"),
            (HAS_EXPIRED, "exchange_orders_new"),
            (LOCK_EXPIRED, "exchange_orders_new"),
            (IN_DOUBT, "exchange_orders_in_doubt"),
            (COVERING, "exchange_orders_of_orders"),
            (LATEST, "exchange_orders_by_time"),
            (LOCK, "sqlite_autoindex_exchange_orders_1"),
        ] {
            let explain = format!("EXPLAIN QUERY PLAN {query}");
            let values: Vec<_> = (1..=3_i64)
                .filter(|place| query.contains(&format!("?{place}")))
                .map(Into::into)
                .collect();
            let rows = database.query(&explain, &values).expect("a plan");
            let plan = rows[0].text(3).expect("a step");
            assert!(plan.contains(&format!("INDEX {index}")), "{query}: {plan}");
        }
    }
}
