//! Billing plans.

use std::marker::PhantomData;

use settlekit_core::find::FoundKind;
use settlekit_core::paylink::Source;
use settlekit_core::plan::Plan;
use settlekit_core::value::{OrganisationId, PlanId, Timestamp};

use super::list::Listing;
use super::sql::{Database, Row, StoreError};
use super::{find, read_record, sequence, timestamp, write_record};

pub(crate) const LISTING: Listing<Plan, PlanId> = Listing {
    table: "plans",
    owner: "org_id",
    kind: "plans",
    select: "SELECT l.record, l.available_quantity, l.held_quantity, l.updated_at FROM plans l",
    read,
    ids: PhantomData,
};

/// The sequence of invoice plans, which are in the table but not in the list.
const OF_INVOICES: &str = "plans of invoices";

fn read(row: &Row) -> Result<(Plan, Timestamp), StoreError> {
    let plan: Plan = read_record(row.text(0)?)?;
    let available_quantity = row.maybe_int(1)?;
    let held_quantity = row.int(2)?;
    let plan = Plan {
        available_quantity,
        held_quantity: available_quantity.map(|_| held_quantity),
        updated_at: timestamp(row, 3)?,
        ..plan
    };
    let updated_at = plan.updated_at;
    Ok((plan, updated_at))
}

pub(crate) fn insert(database: &mut dyn Database, plan: Plan) -> Result<Plan, StoreError> {
    const INSERT: &str = "INSERT INTO plans (id, org_id, seq, available_quantity, record, created_at, updated_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)";
    let (seq, at) = if plan.source == Some(Source::Subscription) {
        sequence::next_beside(database, plan.org_id.into(), OF_INVOICES, plan.created_at)?
    } else {
        sequence::next(database, plan.org_id.into(), LISTING.kind, plan.created_at)?
    };
    let plan = Plan {
        created_at: at,
        updated_at: at,
        ..plan
    };
    let record = write_record(&plan)?;
    database.execute(
        INSERT,
        &[
            plan.id.into(),
            plan.org_id.into(),
            seq.into(),
            plan.available_quantity.into(),
            (&record).into(),
            at.into(),
        ],
    )?;
    let reference = plan.reference.as_deref();
    find::note(database, plan.org_id, reference, &FoundKind::Plan, plan.id)?;
    Ok(plan)
}

/// Updates a plan, except its stock: see [`change_stock`].
pub(crate) fn update(database: &mut dyn Database, plan: &Plan) -> Result<(), StoreError> {
    const UPDATE: &str =
        "UPDATE plans SET record = ?3, updated_at = ?4 WHERE org_id = ?1 AND id = ?2";
    let record = write_record(plan)?;
    database.execute(
        UPDATE,
        &[
            plan.org_id.into(),
            plan.id.into(),
            (&record).into(),
            plan.updated_at.into(),
        ],
    )?;
    Ok(())
}

/// A change of a limited plan's stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stock {
    /// A checkout reserves one unit.
    Hold,
    /// The reserved unit is paid.
    SellHeld,
    /// The checkout ends unpaid.
    Release,
    /// A sale without a checkout.
    Sell,
    /// A sale that failed.
    Return,
}

impl Stock {
    /// The changes of the available and of the held quantity.
    const fn changes(self) -> (i64, i64) {
        match self {
            Self::Hold => (-1, 1),
            Self::SellHeld => (0, -1),
            Self::Release => (1, -1),
            Self::Sell => (-1, 0),
            Self::Return => (1, 0),
        }
    }
}

/// Changes a plan's stock; false if none is left or the plan is unlimited.
pub(crate) fn change_stock(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: PlanId,
    stock: Stock,
    now: Timestamp,
) -> Result<bool, StoreError> {
    const CHANGE: &str = "UPDATE plans SET available_quantity = available_quantity + ?3, held_quantity = held_quantity + ?4, \
         updated_at = ?5 WHERE org_id = ?1 AND id = ?2 AND available_quantity + ?3 >= 0";
    let (available, held) = stock.changes();
    let changed = database.execute(
        CHANGE,
        &[
            organisation.into(),
            id.into(),
            available.into(),
            held.into(),
            now.into(),
        ],
    )?;
    Ok(changed == 1)
}
