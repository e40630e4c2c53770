//! Automations of accounts.

use serde::{Deserialize, Serialize};
use settlekit_core::automation::{Automation, AutomationReason};
use settlekit_core::page::{ListQuery, Page};
use settlekit_core::value::{
    AccountId, Amount, AutomationId, Currency, OrderId, OrganisationId, RuleId, Timestamp,
};

use super::list::{collect, direction};
use super::listing::record;
use super::sql::{Database, StoreError, Value};
use super::statement::{insert_numbered, update};
use super::{new_id, one, read_record, sequence, write_record};
use crate::store::destination::Destination;

/// The sequence that numbers an account's automations.
const KIND: &str = "automations";

/// Pays out or converts a balance above a threshold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rule {
    pub(crate) currency: Currency,
    pub(crate) threshold: Amount,
    pub(crate) action: Action,
    /// The order of a conversion that is under way.
    pub(crate) order: Option<OrderId>,
    /// Accounts whose last payout or conversion failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) failures: Vec<Failures>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Action {
    /// Pays out the surplus over a minimum.
    PayOut {
        minimum: Amount,
        address: Destination,
        /// The owner was notified of a low balance; cleared when the balance recovers.
        is_low: bool,
    },
    /// Sells all of it for another currency.
    Convert { to: Currency, max_cost_bps: i64 },
}

/// Consecutive failures of one account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Failures {
    pub(crate) account: AccountId,
    pub(crate) in_a_row: u32,
    /// Conversions in a row that cost too much or had no quote.
    pub(crate) refusals: usize,
    /// Nothing is paid out or converted from the account before this time.
    pub(crate) paused_until: Timestamp,
    pub(crate) reason: AutomationReason,
}

/// Inserts an automation that `build` creates from its id and time: `now`, or that of the account's latest if later.
pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    (account, rule): (AccountId, &Rule),
    now: Timestamp,
    build: impl FnOnce(AutomationId, RuleId, Timestamp) -> Automation,
) -> Result<Automation, StoreError> {
    let (seq, at) = sequence::next(database, account.into(), KIND, now)?;
    let id = insert_numbered!(database, "automations" {
        org_id: organisation,
        account_id: account,
        seq: seq,
        rule: &write_record(rule)?,
        record: "",
        enabled: true,
        due_at: at,
        created_at: at,
        updated_at: at,
    })?;
    let (automation_id, rule_id) = (new_id(AutomationId::new(id))?, new_id(RuleId::new(id))?);
    let automation = build(automation_id, rule_id, at);
    update!(database, "automations" [org_id: organisation, id: id] {
        record: &write_record(&automation)?,
    })?;
    Ok(automation)
}

/// Reads and locks an automation with its rule; `None` if deleted.
pub(crate) fn lock(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: AutomationId,
) -> Result<Option<(Automation, Rule)>, StoreError> {
    const LOCK: &str = "SELECT record, rule FROM automations WHERE org_id = ?1 AND id = ?2 AND deleted_at IS NULL FOR UPDATE";
    one(
        database.query(LOCK, &[organisation.into(), id.into()])?,
        |row| Ok((read_record(row.text(0)?)?, read_record(row.text(1)?)?)),
    )
}

/// Without `due_at`, the automation waits for the next change of a balance.
pub(crate) fn update(
    database: &mut dyn Database,
    organisation: OrganisationId,
    automation: &Automation,
    rule: &Rule,
    due_at: Option<Timestamp>,
    deleted_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    update!(database, "automations" [org_id: organisation, id: automation.id] {
        record: &write_record(automation)?,
        rule: &write_record(rule)?,
        enabled: automation.enabled,
        due_at: due_at,
        deleted_at: deleted_at,
        updated_at: automation.updated_at,
    })
}

/// Sets when the nodes are asked for the quote of an automation's conversion.
pub(crate) fn set_ask_at(
    database: &mut dyn Database,
    (organisation, id): (OrganisationId, AutomationId),
    ask_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    update!(database, "automations" [org_id: organisation, id: id] {
        ask_at: ask_at,
    })
}

/// Has the nodes be asked now, unless a server is asking them.
pub(crate) fn ask_by(
    database: &mut dyn Database,
    (organisation, id): (OrganisationId, AutomationId),
    now: Timestamp,
) -> Result<(), StoreError> {
    const ASK: &str =
        "UPDATE automations SET ask_at = ?3 WHERE org_id = ?1 AND id = ?2 AND ask_at IS NULL";
    let values = [organisation.into(), id.into(), now.into()];
    database.execute(ASK, &values).map(drop)
}

/// Makes the automations of an account and its parent due: its balance changed.
pub(crate) fn wake(
    database: &mut dyn Database,
    organisation: OrganisationId,
    account: AccountId,
    now: Timestamp,
) -> Result<(), StoreError> {
    // Most accounts have none; the answer is cached across bookings.
    const LISTENING: &str = "SELECT id FROM automations WHERE org_id = ?1 AND enabled = 1 AND deleted_at IS NULL \
         AND account_id IN (?2, (SELECT parent_id FROM accounts WHERE id = ?2)) LIMIT 1";
    const WAKE: &str = "UPDATE automations SET due_at = ?3 WHERE org_id = ?1 AND enabled = 1 AND deleted_at IS NULL \
         AND account_id IN (?2, (SELECT parent_id FROM accounts WHERE id = ?2))";
    let listening = [organisation.into(), account.into()];
    if database.query(LISTENING, &listening)?.is_empty() {
        return Ok(());
    }
    database.write(WAKE, &[organisation.into(), account.into(), now.into()])
}

/// Makes all automations of an organisation due.
pub(crate) fn wake_all(
    database: &mut dyn Database,
    organisation: OrganisationId,
    now: Timestamp,
) -> Result<(), StoreError> {
    const WAKE: &str = "UPDATE automations SET due_at = ?2 WHERE org_id = ?1 AND enabled = 1 AND deleted_at IS NULL";
    database.execute(WAKE, &[organisation.into(), now.into()])?;
    Ok(())
}

/// The rules on an account's balances, enabled or not, each with the id of its automation.
pub(crate) fn rules(
    database: &mut dyn Database,
    organisation: OrganisationId,
    account: AccountId,
) -> Result<Vec<(i64, Rule)>, StoreError> {
    const FIND: &str = "SELECT id, rule FROM automations WHERE org_id = ?1 AND account_id = ?2 AND deleted_at IS NULL ORDER BY id";
    let rows = database.query(FIND, &[organisation.into(), account.into()])?;
    rows.iter()
        .map(|row| Ok((row.int(0)?, read_record(row.text(1)?)?)))
        .collect()
}

/// A page of the automations of some accounts; deleted ones show as disabled. An account has one or two, so all are read.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    accounts: &[AccountId],
    query: &ListQuery,
) -> Result<Page<Automation>, StoreError> {
    let places: Vec<String> = (4..4 + accounts.len())
        .map(|place| format!("?{place}"))
        .collect();
    let list = format!(
        "SELECT record, updated_at FROM automations WHERE org_id = ?1 AND created_at BETWEEN ?2 AND ?3 \
         AND account_id IN ({}) ORDER BY id {}",
        places.join(", "),
        direction(query)
    );
    let bound = |at: Option<Timestamp>, open| at.map_or(open, Timestamp::micros);
    let mut given = vec![
        organisation.into(),
        bound(query.since, i64::MIN).into(),
        bound(query.until, i64::MAX).into(),
    ];
    given.extend(accounts.iter().map(|account| Value::Int(account.get())));
    let rows = database.query(&list, &given)?;
    let (limit, page) = (query.limit() as usize, query.page());
    let from = limit.saturating_mul(page as usize - 1).min(rows.len());
    let to = from.saturating_add(limit).min(rows.len());
    let next = (to < rows.len()).then(|| page.saturating_add(1));
    collect(&rows[from..to], rows.len() as u64, next, record)
}
