//! Billing plans.

use settlekit_core::find::FoundKind;
use settlekit_core::page::{ListQuery, Page};
use settlekit_core::paylink::Source;
use settlekit_core::plan::Plan;
use settlekit_core::value::{OrganisationId, PlanId, Timestamp};

use super::list::Listing;
use super::sql::{Database, Row, StoreError};
use super::{find, moment, read_record, sequence, write_record};

const LISTING: Listing = Listing {
    table: "plans",
    owner: "org_id",
    kind: "plans",
    select: "SELECT l.record, l.available_quantity, l.updated_at FROM plans l",
};

/// What the plans that invoices are paid by are numbered under: they stand beside the list and not in it.
const OF_INVOICES: &str = "plans of invoices";

fn read(row: &Row) -> Result<(Plan, Timestamp), StoreError> {
    let plan: Plan = read_record(row.text(0)?)?;
    let plan = Plan {
        available_quantity: row.maybe_int(1)?,
        updated_at: moment(row, 2)?,
        ..plan
    };
    let updated_at = plan.updated_at;
    Ok((plan, updated_at))
}

/// Adds a plan.
pub(crate) fn insert(database: &mut dyn Database, plan: Plan) -> Result<Plan, StoreError> {
    const INSERT: &str = "INSERT INTO plans (id, org_id, seq, available_quantity, record, created_at, updated_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)";
    let owner = plan.org_id.to_string();
    let (seq, at) = if plan.source == Some(Source::Subscription) {
        sequence::next_beside(database, &owner, OF_INVOICES, plan.created_at)?
    } else {
        sequence::next(database, &owner, LISTING.kind, plan.created_at)?
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
            (&plan.id.to_string()).into(),
            (&owner).into(),
            seq.into(),
            plan.available_quantity.into(),
            (&record).into(),
            at.micros().into(),
        ],
    )?;
    let reference = plan.reference.as_deref();
    find::note(database, plan.org_id, reference, &FoundKind::Plan, plan.id)?;
    Ok(plan)
}

/// A plan of the organisation.
pub(crate) fn find(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: PlanId,
) -> Result<Option<Plan>, StoreError> {
    let (owner, id) = (organisation.to_string(), id.to_string());
    LISTING.find(database, (&owner).into(), (&id).into(), read)
}

/// As [`find`], locked until the transaction ends.
pub(crate) fn lock(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: PlanId,
) -> Result<Option<Plan>, StoreError> {
    let (owner, id) = (organisation.to_string(), id.to_string());
    LISTING.lock(database, (&owner).into(), (&id).into(), read)
}

/// Writes a changed plan; how many are left is changed by [`take_one`] and [`give_back`] alone.
pub(crate) fn update(database: &mut dyn Database, plan: &Plan) -> Result<(), StoreError> {
    const UPDATE: &str =
        "UPDATE plans SET record = ?3, updated_at = ?4 WHERE org_id = ?1 AND id = ?2";
    let record = write_record(plan)?;
    database.execute(
        UPDATE,
        &[
            (&plan.org_id.to_string()).into(),
            (&plan.id.to_string()).into(),
            (&record).into(),
            plan.updated_at.micros().into(),
        ],
    )?;
    Ok(())
}

/// Takes one of a limited plan; says no when none is left. Plans without a limit always have one.
pub(crate) fn take_one(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: PlanId,
    now: Timestamp,
) -> Result<bool, StoreError> {
    const TAKE: &str = "UPDATE plans SET available_quantity = available_quantity - 1, \
         updated_at = CASE WHEN available_quantity IS NULL THEN updated_at ELSE ?3 END \
         WHERE org_id = ?1 AND id = ?2 AND (available_quantity IS NULL OR available_quantity > 0)";
    Ok(database.execute(
        TAKE,
        &[
            (&organisation.to_string()).into(),
            (&id.to_string()).into(),
            now.micros().into(),
        ],
    )? == 1)
}

/// Gives back one of a limited plan.
pub(crate) fn give_back(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: PlanId,
    now: Timestamp,
) -> Result<(), StoreError> {
    const GIVE: &str = "UPDATE plans SET available_quantity = available_quantity + 1, updated_at = ?3 \
         WHERE org_id = ?1 AND id = ?2 AND available_quantity IS NOT NULL";
    database.execute(
        GIVE,
        &[
            (&organisation.to_string()).into(),
            (&id.to_string()).into(),
            now.micros().into(),
        ],
    )?;
    Ok(())
}

/// One page of the organisation's plans.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListQuery,
) -> Result<Page<Plan>, StoreError> {
    let owner = organisation.to_string();
    LISTING.page(database, (&owner).into(), &owner, query, read)
}
