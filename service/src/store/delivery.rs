//! Webhook deliveries: turns of organisations, claims, and results of attempts.
//!
//! One row per organisation holds its next due time. A round therefore costs as much as it claims, however long the queue of an
//! unreachable endpoint is.

use settlekit_core::event::{Attempt, DeliveryStatus, EventAction, EventType};
use settlekit_core::value::{EventId, OrganisationId, Timestamp};

use super::columns::{self, columns, get};
use super::delivery_order::OrderKey;
use super::filter_counts::{EVENTS, FilterKey};
use super::sql::{Database, StoreError, Value};
use super::statement::{insert, update};
use super::{delivery_order, first};

/// An event that is due for delivery.
#[derive(Debug, Clone)]
pub(crate) struct Due {
    pub(crate) id: EventId,
    pub(crate) kind: EventType,
    pub(crate) action: EventAction,
    pub(crate) data: String,
    pub(crate) created_at: Timestamp,
    /// Set for a test event.
    pub(crate) test: Option<bool>,
}

/// Makes an organisation due at a time, unless it is due sooner.
pub(crate) fn wake(
    database: &mut dyn Database,
    organisation: OrganisationId,
    at: Timestamp,
) -> Result<(), StoreError> {
    const WAKE: &str = "INSERT INTO delivery_turns (org_id, due_at, failures) VALUES (?1, ?2, 0) ON CONFLICT (org_id) DO UPDATE \
         SET due_at = CASE WHEN delivery_turns.paused_at IS NOT NULL THEN NULL \
         WHEN delivery_turns.due_at <= excluded.due_at THEN delivery_turns.due_at ELSE excluded.due_at END";
    database.write(WAKE, &[organisation.into(), at.into()])
}

/// Consecutive failed attempts of an organisation.
pub(crate) fn failures(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<u32, StoreError> {
    const FAILURES: &str = "SELECT failures FROM delivery_turns WHERE org_id = ?1";
    let row = first(database.query(FAILURES, &[organisation.into()])?);
    let failures = row.map_or(Ok(0), |row| row.int(0))?;
    Ok(u32::try_from(failures).unwrap_or(u32::MAX))
}

/// Pauses an organisation's deliveries until [`resume`].
pub(crate) fn pause(
    database: &mut dyn Database,
    organisation: OrganisationId,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "delivery_turns" [org_id: organisation] {
        due_at: Value::Null,
        paused_at: now,
    })
}

/// Resumes deliveries and resets the failures.
pub(crate) fn resume(
    database: &mut dyn Database,
    organisation: OrganisationId,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "delivery_turns" [org_id: organisation] {
        failures: 0,
        paused_at: Value::Null,
    })?;
    wake(database, organisation, now)
}

/// The due organisations, longest waiting first, locked against other claims.
pub(crate) fn turns(
    database: &mut dyn Database,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<OrganisationId>, StoreError> {
    const TURNS: &str = "SELECT org_id FROM delivery_turns WHERE due_at <= ?1 ORDER BY due_at, org_id LIMIT ?2 FOR UPDATE SKIP LOCKED";
    let rows = database.query(TURNS, &[now.into(), limit.into()])?;
    rows.iter().map(|row| get(row, 0)).collect()
}

/// Claims due events of an organisation, longest waiting first, up to `share` under way.
///
/// A claim is a later `next_attempt_at`: if the host dies, the event becomes due again.
pub(crate) fn claim(
    database: &mut dyn Database,
    organisation: OrganisationId,
    now: Timestamp,
    until: Timestamp,
    share: u32,
) -> Result<Vec<Due>, StoreError> {
    const UNDER_WAY: &str = "SELECT COUNT(*) FROM events WHERE org_id = ?1 AND claimed_until > ?2";
    const DUE: &str = "SELECT id, type, action, data, created_at, document_id, seq, test FROM events WHERE org_id = ?1 AND next_attempt_at <= ?2 \
         ORDER BY next_attempt_at, seq LIMIT ?3";
    const CLAIM: &str =
        "UPDATE events SET next_attempt_at = ?3, claimed_until = ?3 WHERE org_id = ?1 AND id = ?2";
    const FULL: &str = "UPDATE delivery_turns SET due_at = ?2 WHERE org_id = ?1";
    let under_way = first(database.query(UNDER_WAY, &[organisation.into(), now.into()])?);
    let under_way = under_way.map_or(Ok(0), |row| row.int(0))?;
    let free = i64::from(share).saturating_sub(under_way).max(0);
    if let Some(forgotten) = delivery_order::forgotten(database, organisation)? {
        delivery_order::send(database, organisation, forgotten, now)?;
    }
    let rows = database.query(DUE, &[organisation.into(), now.into(), free.into()])?;
    let mut due = Vec::with_capacity(rows.len());
    for row in &rows {
        let id: EventId = get(row, 0)?;
        let kind: EventType = row.text(1)?.into();
        // An older event that is sent again may have moved ahead of it since it was scheduled.
        if let Some(document) = row.maybe_text(5)?
            && delivery_order::is_behind(
                database,
                organisation,
                OrderKey::of(document, &kind),
                row.int(6)?,
            )?
        {
            delivery_order::hold(database, organisation, id)?;
            continue;
        }
        let values = [organisation.into(), row.text(0)?.into(), until.into()];
        database.execute(CLAIM, &values)?;
        due.push(Due {
            id,
            kind,
            action: get(row, 2)?,
            data: get(row, 3)?,
            created_at: get(row, 4)?,
            test: get(row, 7)?,
        });
    }
    if i64::try_from(due.len()).unwrap_or(i64::MAX) < free {
        schedule_next(database, organisation)?;
    } else {
        // The share is used up until a report, or until a claim expires.
        database.execute(FULL, &[organisation.into(), until.into()])?;
    }
    Ok(due)
}

/// Makes an organisation due with the next of its events; at once if unfinished events have no due time, which
/// [`delivery_order::forgotten`] repairs.
fn schedule_next(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    const AGAIN: &str = "UPDATE delivery_turns SET due_at = CASE WHEN paused_at IS NULL THEN COALESCE((SELECT MIN(next_attempt_at) \
         FROM events WHERE org_id = ?1 AND next_attempt_at IS NOT NULL), (SELECT created_at FROM events \
         WHERE org_id = ?1 AND delivery_status = 'pending' ORDER BY seq LIMIT 1)) END WHERE org_id = ?1";
    database.execute(AGAIN, &[organisation.into()])?;
    Ok(())
}

/// Clears the due time of an organisation without an endpoint, until [`wake`].
pub(crate) fn clear_due(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    update!(database, "delivery_turns" [org_id: organisation] { due_at: Value::Null })
}

/// The delivery state of an event.
#[derive(Debug, Clone)]
pub(crate) struct Delivery {
    pub(crate) seq: i64,
    pub(crate) document: Option<String>,
    pub(crate) attempts: u32,
    pub(crate) status: DeliveryStatus,
    kind: EventType,
    action: EventAction,
    sent: bool,
}

columns! { Delivery { seq, document, attempts, status, kind, action, sent } }

impl Delivery {
    /// Its delivery order; `None` without a document.
    fn order_key(&self) -> Option<OrderKey<'_>> {
        let document = self.document.as_deref()?;
        Some(OrderKey::of(document, &self.kind))
    }

    /// The change of filter counts when the event gets another status.
    fn change<'a>(
        &'a self,
        after: &'a DeliveryStatus,
        sent: bool,
    ) -> (FilterKey<'a>, FilterKey<'a>) {
        let before = FilterKey {
            r#type: self.kind.as_str(),
            action: self.action.as_str(),
            status: self.status.as_str(),
            sent: self.sent,
        };
        let after = FilterKey {
            status: after.as_str(),
            sent,
            ..before
        };
        (before, after)
    }
}

/// The columns of [`Delivery`], shared by several statements.
macro_rules! delivery_columns {
    () => {
        "seq, document_id, attempts, delivery_status, type, action, webhook_sent_at IS NOT NULL"
    };
}
pub(super) use delivery_columns;

/// Reads and locks the delivery state of an event.
pub(crate) fn lock_delivery(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: EventId,
) -> Result<Option<Delivery>, StoreError> {
    const LOCK: &str = concat!(
        "SELECT ",
        delivery_columns!(),
        " FROM events WHERE org_id = ?1 AND id = ?2 FOR UPDATE"
    );
    let rows = database.query(LOCK, &[organisation.into(), id.into()])?;
    columns::first(&rows)
}

/// Records an attempt and schedules the next.
pub(crate) fn record_attempt(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: EventId,
    delivery: &Delivery,
    attempt: &Attempt,
    (after, next_attempt_at): (&DeliveryStatus, Option<Timestamp>),
    now: Timestamp,
) -> Result<(), StoreError> {
    const TAKEN: &str = "UPDATE delivery_turns SET failures = 0 WHERE org_id = ?1 AND failures > 0";
    const FAILED: &str = "UPDATE delivery_turns SET failures = failures + 1 WHERE org_id = ?1";
    insert!(database, "attempts" {
        event_id: id,
        number: attempt.number,
        org_id: organisation,
        url: &attempt.url,
        request: &attempt.request,
        response: &attempt.response,
        status: attempt.status,
        error: &attempt.error,
        sent_at: attempt.sent_at,
        duration_ms: attempt.duration_ms,
    })?;
    update!(database, "events" [org_id: organisation, id: id] {
        attempts: attempt.number,
        delivery_status: after.as_str(),
        next_attempt_at: next_attempt_at,
        claimed_until: Value::Null,
        webhook_sent_at: attempt.sent_at,
        updated_at: now,
    })?;
    let count = if *after == DeliveryStatus::Succeeded {
        TAKEN
    } else {
        FAILED
    };
    database.execute(count, &[organisation.into()])?;
    if let Some(line) = delivery.order_key()
        && *after != DeliveryStatus::Pending
    {
        advance(database, organisation, line, now)?;
    }
    schedule_next(database, organisation)?;
    let change = delivery.change(after, true);
    EVENTS.shift(database, organisation, change, delivery.seq)
}

/// Makes the first event of an order due, unless it is under way.
fn advance(
    database: &mut dyn Database,
    organisation: OrganisationId,
    line: OrderKey<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    match delivery_order::front(database, organisation, line, now)? {
        Some((front, true)) => delivery_order::send(database, organisation, front, now),
        _ => Ok(()),
    }
}

/// Makes an event due at once, or the first of its document if others are ahead of it.
pub(crate) fn make_due(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: EventId,
    before: &Delivery,
    now: Timestamp,
) -> Result<(), StoreError> {
    // An attempt under way keeps its claim.
    const DUE: &str = "UPDATE events SET next_attempt_at = CASE WHEN claimed_until > ?3 THEN next_attempt_at ELSE ?5 END, \
         delivery_status = ?4, updated_at = ?3 WHERE org_id = ?1 AND id = ?2";
    let pending = DeliveryStatus::Pending;
    let at_once = before.document.is_none().then_some(now.micros());
    database.execute(
        DUE,
        &[
            organisation.into(),
            id.into(),
            now.into(),
            pending.as_str().into(),
            at_once.into(),
        ],
    )?;
    if let Some(line) = before.order_key() {
        advance(database, organisation, line, now)?;
    }
    wake(database, organisation, now)?;
    let change = before.change(&pending, before.sent);
    EVENTS.shift(database, organisation, change, before.seq)
}

/// The attempts to deliver an event, oldest first.
pub(crate) fn attempts(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: EventId,
) -> Result<Vec<Attempt>, StoreError> {
    const ATTEMPTS: &str = "SELECT number, url, request, response, status, error, sent_at, duration_ms FROM attempts \
         WHERE org_id = ?1 AND event_id = ?2 ORDER BY number";
    columns::all(&database.query(ATTEMPTS, &[organisation.into(), id.into()])?)
}

columns! { Attempt { number, url, request, response, status, error, sent_at, duration_ms } }
