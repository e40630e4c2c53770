//! Payment links.

use serde::{Deserialize, Serialize};
use settlekit_core::paylink::Paylink;
use settlekit_core::value::{AccountId, AccountReference, OrganisationId, PaylinkId, PlanId};

use super::columns::get;
use super::listing::{Listing, listing};
use super::sql::{Database, StoreError};
use super::statement::{insert, update};
use super::{one, one_record, read_record, write_record};

pub(crate) const LISTING: Listing<Paylink, PaylinkId> = listing!("paylinks");

/// The paylinks of invoices have a sequence of their own: they are in the table but not in the list, with the `seq` -1, -2, -3.
const OF_INVOICES: Listing<Paylink, PaylinkId> = Listing {
    kind: "paylinks of invoices",
    ..LISTING
};

/// The accounts that a paylink may settle on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SettlementAccounts {
    /// The accounts named at creation; all accounts of the organisation if empty.
    pub(crate) account_ids: Vec<AccountId>,
    /// The reference that named them: an account that gets it later counts too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) account_ref: Option<AccountReference>,
}

impl SettlementAccounts {
    /// Whether an account was named by its id.
    pub(crate) fn names(&self, account: AccountId) -> bool {
        self.account_ref.is_none() && self.account_ids.contains(&account)
    }
}

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    paylink: Paylink,
    settlement: &SettlementAccounts,
) -> Result<Paylink, StoreError> {
    let (listing, sign) = match paylink.invoice_id {
        Some(_) => (OF_INVOICES, -1),
        None => (LISTING, 1),
    };
    let (seq, mut paylink) = listing.number(database, organisation, paylink)?;
    paylink.plan = None;
    insert!(database, "paylinks" {
        id: paylink.id,
        org_id: organisation,
        seq: sign * seq,
        plan_id: paylink.plan_id,
        settlement: &write_record(settlement)?,
        record: &write_record(&paylink)?,
        created_at: paylink.created_at,
        updated_at: paylink.updated_at,
    })?;
    Ok(paylink)
}

/// Finds a payer's paylink with its organisation and settlement, across organisations.
pub(crate) fn for_payer(
    database: &mut dyn Database,
    id: PaylinkId,
) -> Result<Option<(OrganisationId, Paylink, SettlementAccounts)>, StoreError> {
    const FIND: &str = "SELECT org_id, record, settlement FROM paylinks WHERE id = ?1";
    one(database.query(FIND, &[id.into()])?, |row| {
        Ok((
            get(row, 0)?,
            read_record(row.text(1)?)?,
            read_record(row.text(2)?)?,
        ))
    })
}

pub(crate) fn of_plan(
    database: &mut dyn Database,
    organisation: OrganisationId,
    plan: PlanId,
) -> Result<Option<Paylink>, StoreError> {
    const FIND: &str = "SELECT record FROM paylinks WHERE org_id = ?1 AND plan_id = ?2";
    one_record(database.query(FIND, &[organisation.into(), plan.into()])?)
}

/// The settlement of a plan, from its paylink.
pub(crate) fn settlement_of(
    database: &mut dyn Database,
    organisation: OrganisationId,
    plan: PlanId,
) -> Result<Option<SettlementAccounts>, StoreError> {
    const FIND: &str = "SELECT settlement FROM paylinks WHERE org_id = ?1 AND plan_id = ?2";
    one_record(database.query(FIND, &[organisation.into(), plan.into()])?)
}

pub(crate) fn update(
    database: &mut dyn Database,
    organisation: OrganisationId,
    paylink: &Paylink,
) -> Result<(), StoreError> {
    update!(database, "paylinks" [org_id: organisation, id: paylink.id] {
        record: &write_record(paylink)?,
        deleted_at: paylink.deleted_at,
        updated_at: paylink.updated_at,
    })
}
