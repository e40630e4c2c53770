//! The order of delivery: an event waits until every older event of its document is delivered or given up.
//!
//! Ids with a prefix name one kind of document. Accounts, movements and transactions share plain numbers, so their order is also
//! per event type. A waiting event has no due time, so queries for due events skip it. Each statement is one lookup in the index
//! of pending events.

use settlekit_core::event::EventType;
use settlekit_core::value::{EventId, OrganisationId, Timestamp};

use super::columns::get;
use super::first;
use super::sql::{Database, StoreError, Value};
use super::statement::update;

/// The key that events delivered in order have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OrderKey<'a> {
    document: &'a str,
    /// The event type, where the document is a plain number.
    kind: Option<&'a str>,
}

impl<'a> OrderKey<'a> {
    /// The order of an event.
    pub(crate) fn of(document: &'a str, kind: &'a EventType) -> Self {
        let is_number = document.bytes().all(|byte| byte.is_ascii_digit());
        Self {
            document,
            kind: is_number.then_some(kind.as_str()),
        }
    }
}

/// Whether an unfinished event with a lower `seq` has this order.
pub(crate) fn is_behind(
    database: &mut dyn Database,
    organisation: OrganisationId,
    line: OrderKey<'_>,
    seq: i64,
) -> Result<bool, StoreError> {
    const BEFORE: &str = "SELECT 1 FROM events WHERE org_id = ?1 AND document_id = ?2 AND delivery_status = 'pending' AND seq < ?3 \
         AND type = COALESCE(?4, type) LIMIT 1";
    let values = [
        organisation.into(),
        line.document.into(),
        seq.into(),
        line.kind.into(),
    ];
    Ok(!database.query(BEFORE, &values)?.is_empty())
}

/// The first unfinished event of an order, and whether it is not under way.
pub(crate) fn front(
    database: &mut dyn Database,
    organisation: OrganisationId,
    line: OrderKey<'_>,
    now: Timestamp,
) -> Result<Option<(EventId, bool)>, StoreError> {
    const FRONT: &str = "SELECT id, claimed_until FROM events WHERE org_id = ?1 AND document_id = ?2 AND delivery_status = 'pending' \
         AND type = COALESCE(?3, type) ORDER BY seq LIMIT 1";
    let values = [organisation.into(), line.document.into(), line.kind.into()];
    first(database.query(FRONT, &values)?)
        .map(|row| {
            let claimed = row.maybe_int(1)?.is_some_and(|until| until > now.micros());
            Ok((get(&row, 0)?, !claimed))
        })
        .transpose()
}

/// Clears an event's due time: it waits for its turn.
pub(crate) fn hold(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: EventId,
) -> Result<(), StoreError> {
    update!(database, "events" [org_id: organisation, id: id] {
        next_attempt_at: Value::Null,
        claimed_until: Value::Null,
    })
}

/// Makes an event due with the organisation's next turn.
pub(crate) fn send(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: EventId,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "events" [org_id: organisation, id: id] { next_attempt_at: now })
}

/// The organisation's oldest unfinished event, if it has no due time: it has nothing to wait for. A process of an earlier
/// version, without this order, leaves such events behind.
pub(crate) fn forgotten(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<Option<EventId>, StoreError> {
    const OLDEST: &str = "SELECT id, next_attempt_at FROM events WHERE org_id = ?1 AND delivery_status = 'pending' \
         ORDER BY seq LIMIT 1";
    match first(database.query(OLDEST, &[organisation.into()])?) {
        Some(row) if row.maybe_int(1)?.is_none() => get(&row, 0).map(Some),
        _ => Ok(None),
    }
}
