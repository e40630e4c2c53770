//! Orders: accepted quotes.

use std::marker::PhantomData;

use settlekit_core::find::FoundKind;
use settlekit_core::quote::Quote;
use settlekit_core::trade::QuickTrade;
use settlekit_core::value::{
    AccountId, Currency, MovementId, Number, OrderId, OrganisationId, QuoteId, Timestamp,
};

use super::list::{Listing, record};
use super::quote::Terms;
use super::sql::{Database, Row, StoreError};
use super::{find, maybe_timestamp, read_record, read_text, sequence, write_record};

pub(crate) const LISTING: Listing<QuickTrade, OrderId> = Listing {
    table: "orders",
    owner: "org_id",
    kind: "orders",
    select: "SELECT l.record, l.updated_at FROM orders l",
    read: record,
    ids: PhantomData,
};

pub(crate) const WHOLE: Listing<Order, OrderId> = Listing {
    table: "orders",
    owner: "org_id",
    kind: "orders",
    select: "SELECT l.record, l.updated_at, l.quote_id, l.held, l.due_at, l.id FROM orders l",
    read: whole,
    ids: PhantomData,
};

fn whole(row: &Row) -> Result<(Order, Timestamp), StoreError> {
    let (record, updated_at) = record::<QuickTrade>(row)?;
    let order = Order {
        id: read_text(row.text(5)?)?,
        quote: read_text(row.text(2)?)?,
        record,
        held: read_record(row.text(3)?)?,
        due_at: maybe_timestamp(row, 4)?,
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
    /// When the service next processes it.
    pub(crate) due_at: Option<Timestamp>,
}

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    order: Order,
) -> Result<Order, StoreError> {
    const INSERT: &str = "INSERT INTO orders (id, org_id, seq, quote_id, status, due_at, held, record, created_at, updated_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)";
    let (seq, at) = sequence::next(
        database,
        organisation.into(),
        LISTING.kind,
        order.record.created_at,
    )?;
    let record = QuickTrade {
        created_at: at,
        ..order.record
    };
    let (text, held) = (write_record(&record)?, write_record(&order.held)?);
    database.execute(
        INSERT,
        &[
            order.id.into(),
            organisation.into(),
            seq.into(),
            order.quote.into(),
            record.status.as_str().into(),
            order.due_at.into(),
            (&held).into(),
            (&text).into(),
            at.into(),
        ],
    )?;
    let reference = record.reference.as_deref();
    find::note(
        database,
        organisation,
        reference,
        &FoundKind::Order,
        order.id,
    )?;
    Ok(Order { record, ..order })
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

pub(crate) fn update(
    database: &mut dyn Database,
    organisation: OrganisationId,
    order: &Order,
    now: Timestamp,
) -> Result<(), StoreError> {
    const UPDATE: &str = "UPDATE orders SET status = ?3, due_at = ?4, held = ?5, record = ?6, updated_at = ?7 \
         WHERE org_id = ?1 AND id = ?2";
    let (text, held) = (write_record(&order.record)?, write_record(&order.held)?);
    database.execute(
        UPDATE,
        &[
            organisation.into(),
            order.id.into(),
            order.record.status.as_str().into(),
            order.due_at.into(),
            (&held).into(),
            (&text).into(),
            now.into(),
        ],
    )?;
    Ok(())
}
