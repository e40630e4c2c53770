//! Billing plans.

use settlekit_core::find::FoundKind;
use settlekit_core::paylink::Source;
use settlekit_core::plan::Plan;
use settlekit_core::value::{OrganisationId, PlanId, Timestamp};

use super::columns::get;
use super::folding::folded;
use super::listing::{Listing, listing};
use super::sql::{Database, Row, StoreError};
use super::statement::{insert, update};
use super::{find, read_record};

pub(crate) const LISTING: Listing<Plan, PlanId> = listing!(
    "plans",
    "l.record, l.available_quantity, l.held_quantity, l.updated_at",
    read
);

/// The plans of invoices have a sequence of their own: they are in the table but not in the list, with the `seq` -1, -2, -3.
const OF_INVOICES: Listing<Plan, PlanId> = Listing {
    kind: "plans of invoices",
    ..LISTING
};

fn read(row: &Row) -> Result<(Plan, Timestamp), StoreError> {
    let plan: Plan = read_record(row.text(0)?)?;
    let available_quantity = row.maybe_int(1)?;
    let held_quantity = row.int(2)?;
    let plan = Plan {
        available_quantity,
        held_quantity: available_quantity.map(|_| held_quantity),
        updated_at: get(row, 3)?,
        ..plan
    };
    let updated_at = plan.updated_at;
    Ok((plan, updated_at))
}

pub(crate) fn insert(database: &mut dyn Database, plan: Plan) -> Result<Plan, StoreError> {
    let (listing, sign) = match plan.source {
        Some(Source::Subscription) => (OF_INVOICES, -1),
        _ => (LISTING, 1),
    };
    let (seq, plan) = listing.number(database, plan.org_id, plan)?;
    insert!(database, "plans" {
        seq: sign * seq,
        available_quantity: plan.available_quantity,
        search: &search_of(&plan),
        ..plan
    })?;
    let found = (FoundKind::Plan, plan.id);
    find::index_text(database, plan.org_id, found, plan.reference.as_deref())?;
    Ok(plan)
}

/// The searchable text of a plan and its paylink.
fn search_of(plan: &Plan) -> String {
    let texts = [Some(plan.name.as_str()), plan.reference.as_deref()];
    let texts: Vec<String> = texts.into_iter().flatten().map(folded).collect();
    texts.join("\n")
}

/// Updates a plan, except its stock: see [`change_stock`].
pub(crate) fn update(database: &mut dyn Database, plan: &Plan) -> Result<(), StoreError> {
    update!(database, "plans" { search: &search_of(plan), ..plan })
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
