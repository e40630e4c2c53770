//! Payment links.

use serde::{Deserialize, Serialize};
use settlekit_core::page::Page;
use settlekit_core::paylink::{ListPaylinksQuery, Paylink, PaylinkState};
use settlekit_core::plan::Plan;
use settlekit_core::value::{
    AccountId, AccountReference, OrganisationId, PaylinkId, PlanId, Timestamp,
};

use super::columns::get;
use super::filter::{Filter, Pattern};
use super::filter_counts::{FilterKey, FilterValues, PAYLINKS};
use super::folding::folded;
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

/// The state of a paylink with its plan. That of an invoice has no sold-out state: a started payment holds its stock of one, and the
/// payer may restart until it is paid.
pub(crate) fn state_of(paylink: &Paylink, plan: &Plan, now: Timestamp) -> PaylinkState {
    if paylink.deleted_at.is_some() {
        PaylinkState::Deleted
    } else if plan.available_quantity == Some(0) && paylink.invoice_id.is_none() {
        PaylinkState::SoldOut
    } else if !paylink.enabled {
        PaylinkState::Disabled
    } else if plan.expires_at.is_some_and(|at| at <= now) {
        PaylinkState::Expired
    } else {
        PaylinkState::Open
    }
}

/// When a paylink in a state has to be looked at again.
fn end_of(state: &PaylinkState, plan: &Plan) -> Option<Timestamp> {
    plan.expires_at.filter(|_| *state == PaylinkState::Open)
}

/// Inserts a paylink of a plan.
pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    paylink: Paylink,
    (plan, settlement): (&Plan, &SettlementAccounts),
) -> Result<Paylink, StoreError> {
    let (listing, sign) = match paylink.invoice_id {
        Some(_) => (OF_INVOICES, -1),
        None => (LISTING, 1),
    };
    let (seq, mut paylink) = listing.number(database, organisation, paylink)?;
    paylink.plan = None;
    let is_listed = paylink.invoice_id.is_none();
    let state = state_of(&paylink, plan, paylink.created_at);
    let end = end_of(&state, plan).filter(|_| is_listed);
    insert!(database, "paylinks" {
        id: paylink.id,
        org_id: organisation,
        seq: sign * seq,
        plan_id: paylink.plan_id,
        settlement: &write_record(settlement)?,
        state: is_listed.then_some(state.as_str()),
        expires_at: end,
        record: &write_record(&paylink)?,
        created_at: paylink.created_at,
        updated_at: paylink.updated_at,
    })?;
    if is_listed {
        let key = FilterKey::status(state.as_str());
        PAYLINKS.add(database, organisation, key, seq)?;
    }
    Ok(paylink)
}

/// Stores the state of a paylink, after any change of it or of its plan.
pub(crate) fn set_state(
    database: &mut dyn Database,
    organisation: OrganisationId,
    paylink: &Paylink,
    plan: &Plan,
    now: Timestamp,
) -> Result<(), StoreError> {
    if paylink.invoice_id.is_some() {
        return Ok(());
    }
    let state = state_of(paylink, plan, now);
    PAYLINKS.set_status(database, organisation, paylink.id.into(), state.as_str())?;
    update!(database, "paylinks" [org_id: organisation, id: paylink.id] {
        state: state.as_str(),
        expires_at: end_of(&state, plan),
    })
}

/// A page of the organisation's paylinks. By state every page costs the same; a search reads the names of all.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListPaylinksQuery,
) -> Result<Page<Paylink>, StoreError> {
    let values = FilterValues::status(query.status.as_ref().map(PaylinkState::as_str));
    let search = query.search.as_deref().map(|text| folded(text.trim()));
    let pattern = search.as_deref().map(Pattern::new);
    let mut filter = Filter::default().counted(&PAYLINKS, values);
    if let Some(pattern) = &pattern {
        let pattern = filter.value(pattern.as_str().into());
        // SQLite would merge a query without DISTINCT into the list's, and read all links per plan.
        filter = filter.among(format!(
            "SELECT DISTINCT k.seq FROM plans n CROSS JOIN paylinks k WHERE n.org_id = ?1 AND n.seq > 0 \
             AND n.search LIKE {pattern} ESCAPE '!' AND k.org_id = n.org_id AND k.plan_id = n.id"
        ));
    }
    let list = (&query.list, query.counts.as_ref());
    LISTING.matching_by_status(database, organisation, list, &filter, PaylinkState::KNOWN)
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
