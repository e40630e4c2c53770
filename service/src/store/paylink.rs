//! Payment links.

use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

use settlekit_core::paylink::Paylink;
use settlekit_core::value::{AccountId, AccountReference, OrganisationId, PaylinkId, PlanId};

use super::list::{Listing, record};
use super::sql::{Database, StoreError};
use super::{first, read_record, read_text, sequence, write_record};

pub(crate) const LISTING: Listing<Paylink, PaylinkId> = Listing {
    table: "paylinks",
    owner: "org_id",
    kind: "paylinks",
    select: "SELECT l.record, l.updated_at FROM paylinks l",
    read: record,
    ids: PhantomData,
};

/// The sequence of invoice paylinks, which are in the table but not in the list.
const OF_INVOICES: &str = "paylinks of invoices";

/// The accounts that a paylink may settle on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Settlement {
    /// The accounts named at creation; all accounts of the organisation if empty.
    pub(crate) account_ids: Vec<AccountId>,
    /// The reference that named them: an account that gets it later counts too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) account_ref: Option<AccountReference>,
}

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    paylink: Paylink,
    settlement: &Settlement,
) -> Result<Paylink, StoreError> {
    const INSERT: &str = "INSERT INTO paylinks (id, org_id, seq, plan_id, settlement, record, created_at, updated_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)";
    let (seq, at) = if paylink.invoice_id.is_some() {
        sequence::next_beside(
            database,
            organisation.into(),
            OF_INVOICES,
            paylink.created_at,
        )?
    } else {
        sequence::next(
            database,
            organisation.into(),
            LISTING.kind,
            paylink.created_at,
        )?
    };
    let paylink = Paylink {
        created_at: at,
        updated_at: at,
        plan: None,
        ..paylink
    };
    let (record, settlement) = (write_record(&paylink)?, write_record(settlement)?);
    database.execute(
        INSERT,
        &[
            paylink.id.into(),
            organisation.into(),
            seq.into(),
            paylink.plan_id.into(),
            (&settlement).into(),
            (&record).into(),
            at.into(),
        ],
    )?;
    Ok(paylink)
}

/// Finds a payer's paylink with its organisation and settlement, across organisations.
pub(crate) fn for_payer(
    database: &mut dyn Database,
    id: PaylinkId,
) -> Result<Option<(OrganisationId, Paylink, Settlement)>, StoreError> {
    const FIND: &str = "SELECT org_id, record, settlement FROM paylinks WHERE id = ?1";
    let Some(row) = first(database.query(FIND, &[id.into()])?) else {
        return Ok(None);
    };
    Ok(Some((
        read_text(row.text(0)?)?,
        read_record(row.text(1)?)?,
        read_record(row.text(2)?)?,
    )))
}

pub(crate) fn of_plan(
    database: &mut dyn Database,
    organisation: OrganisationId,
    plan: PlanId,
) -> Result<Option<Paylink>, StoreError> {
    const FIND: &str = "SELECT record FROM paylinks WHERE org_id = ?1 AND plan_id = ?2";
    first(database.query(FIND, &[organisation.into(), plan.into()])?)
        .map(|row| read_record(row.text(0)?))
        .transpose()
}

/// The settlement of a plan, from its paylink.
pub(crate) fn settlement_of(
    database: &mut dyn Database,
    organisation: OrganisationId,
    plan: PlanId,
) -> Result<Option<Settlement>, StoreError> {
    const FIND: &str = "SELECT settlement FROM paylinks WHERE org_id = ?1 AND plan_id = ?2";
    first(database.query(FIND, &[organisation.into(), plan.into()])?)
        .map(|row| read_record(row.text(0)?))
        .transpose()
}

pub(crate) fn update(
    database: &mut dyn Database,
    organisation: OrganisationId,
    paylink: &Paylink,
) -> Result<(), StoreError> {
    const UPDATE: &str = "UPDATE paylinks SET record = ?3, deleted_at = ?4, updated_at = ?5 WHERE org_id = ?1 AND id = ?2";
    let record = write_record(paylink)?;
    database.execute(
        UPDATE,
        &[
            organisation.into(),
            paylink.id.into(),
            (&record).into(),
            paylink.deleted_at.into(),
            paylink.updated_at.into(),
        ],
    )?;
    Ok(())
}
