//! Orders: accepted quotes.

#[cfg(not(target_family = "wasm"))]
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

#[cfg(not(target_family = "wasm"))]
use serde::{Deserialize, Serialize};
use settlekit_core::find::FoundKind;
use settlekit_core::quote::Quote;
use settlekit_core::trade::QuickTrade;
#[cfg(not(target_family = "wasm"))]
use settlekit_core::value::ChainId;
use settlekit_core::value::{
    AccountId, Currency, MovementId, Number, OrderId, OrganisationId, QuoteId, Timestamp,
};

use super::columns::get;
use super::listing::{Listing, listing, record};
use super::quote::Terms;
use super::sql::{Database, Row, StoreError};
use super::statement::{insert, update};
use super::{find, read_record, write_record};

pub(crate) const LISTING: Listing<QuickTrade, OrderId> = listing!("orders");

pub(crate) const ORDERS: Listing<Order, OrderId> = listing!(
    "orders",
    "l.record, l.updated_at, l.quote_id, l.held, l.due_at, l.id, l.outcomes",
    read_order
);

fn read_order(row: &Row) -> Result<(Order, Timestamp), StoreError> {
    let (record, updated_at) = record::<QuickTrade>(row)?;
    let order = Order {
        id: get(row, 5)?,
        quote: get(row, 2)?,
        record,
        held: read_record(row.text(3)?)?,
        outcomes: read_outcomes(row.text(6)?)?,
        due_at: get(row, 4)?,
    };
    Ok((order, updated_at))
}

/// An order, with what its record omits.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(crate) id: OrderId,
    pub(crate) quote: QuoteId,
    pub(crate) record: QuickTrade,
    /// The movements of the sold assets, in the order of the quote; empty until the funds are reserved.
    pub(crate) held: Vec<MovementId>,
    /// The outcomes of the parts that have ended.
    pub(crate) outcomes: Outcomes,
    /// When the service next processes it.
    pub(crate) due_at: Option<Timestamp>,
}

/// A part of an order: the index of a sold asset, which one swap or one order at an exchange account executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OrderPart {
    pub(crate) organisation: OrganisationId,
    pub(crate) order: OrderId,
    pub(crate) part: u32,
}

/// Parts count from one, as people do.
impl Display for OrderPart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (order, organisation) = (self.order, self.organisation);
        let part = self.part.saturating_add(1);
        write!(f, "order {order} of {organisation}, part {part}")
    }
}

/// The amounts that a part has sold and bought, in smallest units; zero if it ended without execution.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartOutcome {
    pub(crate) sold: i128,
    pub(crate) bought: i128,
    /// Whether the bought amount is reserved until the order ends: it leaves then.
    pub(crate) reserved: bool,
}

/// Outcomes of parts, by the index of the sold asset.
#[cfg(not(target_family = "wasm"))]
pub(crate) type Outcomes = BTreeMap<u32, PartOutcome>;

#[cfg(not(target_family = "wasm"))]
fn read_outcomes(text: &str) -> Result<Outcomes, StoreError> {
    read_record(text)
}

#[cfg(not(target_family = "wasm"))]
fn write_outcomes(outcomes: &Outcomes) -> Result<String, StoreError> {
    write_record(outcomes)
}

/// A service in wasm is a sandbox, whose orders have no parts.
#[cfg(target_family = "wasm")]
#[derive(Debug, Clone, Default)]
pub(crate) struct Outcomes {}

#[cfg(target_family = "wasm")]
fn read_outcomes(_: &str) -> Result<Outcomes, StoreError> {
    Ok(Outcomes {})
}

#[cfg(target_family = "wasm")]
fn write_outcomes(_: &Outcomes) -> Result<String, StoreError> {
    Ok("{}".to_owned())
}

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    mut order: Order,
) -> Result<Order, StoreError> {
    let (seq, at) = LISTING.next(database, organisation, order.record.created_at)?;
    order.record.created_at = at;
    insert!(database, "orders" {
        id: order.id,
        org_id: organisation,
        seq: seq,
        quote_id: order.quote,
        status: order.record.status.as_str(),
        due_at: order.due_at,
        held: &write_record(&order.held)?,
        outcomes: &write_outcomes(&order.outcomes)?,
        record: &write_record(&order.record)?,
        created_at: at,
        updated_at: at,
    })?;
    let reference = order.record.reference.as_deref();
    let found = (FoundKind::Order, order.id);
    find::index_text(database, organisation, found, reference)?;
    Ok(order)
}

/// Whether an open order debits an account or settles on it. Few are open, and all have a due time.
pub(super) fn is_under_way_for(
    database: &mut dyn Database,
    organisation: OrganisationId,
    account: AccountId,
) -> Result<bool, StoreError> {
    const TERMS: &str = "SELECT q.terms FROM orders o JOIN quotes q ON q.org_id = o.org_id AND q.id = o.quote_id \
         WHERE o.org_id = ?1 AND o.due_at IS NOT NULL";
    for row in database.query(TERMS, &[organisation.into()])? {
        let terms: Terms = read_record(row.text(0)?)?;
        if terms.settlement == account || terms.funding.contains(&account) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Amounts that open orders will debit from an account once they arrive. Few are open.
pub(crate) fn awaited(
    database: &mut dyn Database,
    organisation: OrganisationId,
    account: AccountId,
) -> Result<Vec<(Currency, Number)>, StoreError> {
    const OPEN: &str = "SELECT o.held, q.terms, q.record FROM orders o JOIN quotes q ON q.org_id = o.org_id AND q.id = o.quote_id \
         WHERE o.org_id = ?1 AND o.due_at IS NOT NULL AND o.status = 'Open'";
    let mut awaited = Vec::new();
    for row in database.query(OPEN, &[organisation.into()])? {
        let held: Vec<MovementId> = read_record(row.text(0)?)?;
        let terms: Terms = read_record(row.text(1)?)?;
        if !held.is_empty() || !terms.funding.contains(&account) {
            continue;
        }
        let quote: Quote = read_record(row.text(2)?)?;
        let sold = terms.funding.iter().zip(quote.sell_assets);
        let of_account = sold.filter(|(funding, _)| **funding == account);
        awaited.extend(of_account.map(|(_, asset)| (asset.symbol, asset.amount)));
    }
    Ok(awaited)
}

/// Bought amounts that are reserved until their orders end, by ledger account name. Few orders are open.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn audit_bought(database: &mut dyn Database) -> Result<Vec<(String, i128)>, StoreError> {
    const OPEN: &str = "SELECT o.org_id, q.terms, q.record, o.outcomes FROM orders o JOIN quotes q ON q.org_id = o.org_id AND q.id = o.quote_id \
         WHERE o.due_at IS NOT NULL AND o.outcomes <> '{}'";
    let mut reserved = Vec::new();
    for row in database.query(OPEN, &[])? {
        let organisation: OrganisationId = get(&row, 0)?;
        let (terms, quote): (Terms, Quote) =
            (read_record(row.text(1)?)?, read_record(row.text(2)?)?);
        let outcomes = read_outcomes(row.text(3)?)?;
        let outcomes = outcomes.values().filter(|outcome| outcome.reserved);
        let units = outcomes.fold(0_i128, |sum, outcome| sum.saturating_add(outcome.bought));
        let (account, bought) = (terms.settlement, quote.buy_asset);
        let chain = bought.chain_id.map_or(0, ChainId::get);
        let currency = bought.symbol;
        let name = format!("{organisation} merchant account {account} chain {chain} {currency}");
        reserved.push((name, units));
    }
    Ok(reserved)
}

/// Makes the order of a part due now, unless it has ended.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn wake(
    database: &mut dyn Database,
    of: OrderPart,
    now: Timestamp,
) -> Result<(), StoreError> {
    const WAKE: &str =
        "UPDATE orders SET due_at = ?3 WHERE org_id = ?1 AND id = ?2 AND due_at IS NOT NULL";
    let values = [of.organisation.into(), of.order.into(), now.into()];
    database.execute(WAKE, &values).map(drop)
}

pub(crate) fn update(
    database: &mut dyn Database,
    organisation: OrganisationId,
    order: &Order,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "orders" [org_id: organisation, id: order.id] {
        status: order.record.status.as_str(),
        due_at: order.due_at,
        held: &write_record(&order.held)?,
        outcomes: &write_outcomes(&order.outcomes)?,
        record: &write_record(&order.record)?,
        updated_at: now,
    })
}

#[cfg(test)]
mod tests {
    use settlekit_core::value::amount::UNITS_MAX;

    use super::*;

    #[test]
    fn the_largest_amounts_of_a_part_are_stored_exactly() {
        let outcome = PartOutcome {
            sold: UNITS_MAX,
            bought: UNITS_MAX - 1,
            reserved: true,
        };
        let outcomes = BTreeMap::from([(19, outcome)]);
        let stored = write_record(&outcomes).expect("a record");
        let read: BTreeMap<u32, PartOutcome> = read_record(&stored).expect("outcomes");
        assert_eq!(read, outcomes);
        let none: BTreeMap<u32, PartOutcome> = BTreeMap::new();
        // Its query looks for this.
        assert_eq!(write_record(&none).expect("a record"), "{}");
    }
}
