//! The event log. `delivery` has the delivery of events.

use settlekit_core::event::{
    DeliveryStatus, Event, EventAction, EventOrder, EventType, ListEventsQuery,
};
use settlekit_core::page::{Page, Sort};
use settlekit_core::payment::TimelineEvent;
use settlekit_core::value::{EventId, OrganisationId, Timestamp};

use super::columns::{self, get};
use super::delivery_order::OrderKey;
use super::filter::Filter;
use super::filter_counts::{EVENTS, FilterKey, FilterValues};
use super::listing::{Listing, listing};
use super::sql::{Database, Row, StoreError, Value};
use super::{delivery, delivery_order, first, read_record, sequence};

/// Events with their latest attempt.
pub(crate) const LISTING: Listing<Event, EventId> = listing!(
    "events" by "org_id" in "events",
    "l.id, l.seq, l.type, l.action, l.data, l.delivery_status, a.url, a.request, a.response, a.error, a.status, \
     l.webhook_sent_at, l.created_at, l.updated_at, l.next_attempt_at, l.test",
    " LEFT JOIN attempts a ON a.event_id = l.id AND a.number = l.attempts",
    read
);

fn read(row: &Row) -> Result<(Event, Timestamp), StoreError> {
    let seq = row.int(1)?;
    let event = Event {
        id: get(row, 0)?,
        display_id: format!("EV-{seq}"),
        event_id: seq,
        r#type: get(row, 2)?,
        action: get(row, 3)?,
        timestamp: get(row, 12)?,
        data: read_record(row.text(4)?)?,
        delivery_status: Some(row.text(5)?.into()),
        webhook_url: get(row, 6)?,
        webhook_request: get(row, 7)?,
        webhook_response: get(row, 8)?,
        webhook_response_error: get(row, 9)?,
        webhook_response_status: row
            .maybe_int(10)?
            .and_then(|status| u16::try_from(status).ok()),
        webhook_sent_at: get(row, 11)?,
        next_attempt_at: get(row, 14)?,
        test: get(row, 15)?,
    };
    Ok((event, get(row, 13)?))
}

pub(crate) struct NewEvent<'a> {
    pub(crate) id: EventId,
    pub(crate) organisation: OrganisationId,
    pub(crate) kind: EventType,
    pub(crate) action: EventAction,
    pub(crate) document: Option<String>,
    pub(crate) data: &'a str,
    /// Whether it is a test event.
    pub(crate) test: bool,
}

/// Records an event. It is due at once if the organisation has an endpoint and no older event of its document is pending.
///
/// Times of the log never decrease, but the clock may: deliveries are due by the clock, not by the log.
pub(crate) fn insert(
    database: &mut dyn Database,
    new: &NewEvent<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    const REACHABLE: &str = "SELECT webhook_url IS NOT NULL FROM organisations WHERE id = ?1";
    const INSERT: &str = "INSERT INTO events (id, org_id, seq, type, action, document_id, data, delivery_status, attempts, \
         next_attempt_at, created_at, updated_at, test) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, ?9, ?10, ?10, ?11)";
    let (seq, at) = sequence::next(database, new.organisation.into(), LISTING.kind, now)?;
    let row = first(database.query(REACHABLE, &[new.organisation.into()])?);
    let reachable = row.map_or(Ok(0), |row| row.int(0))? != 0;
    let behind = match &new.document {
        Some(document) if reachable => {
            let line = OrderKey::of(document, &new.kind);
            delivery_order::is_behind(database, new.organisation, line, seq)?
        }
        _ => false,
    };
    let due = reachable && !behind;
    let status = if reachable {
        DeliveryStatus::Pending
    } else {
        DeliveryStatus::Skipped
    };
    database.write(
        INSERT,
        &[
            new.id.into(),
            new.organisation.into(),
            seq.into(),
            new.kind.as_str().into(),
            new.action.as_str().into(),
            (&new.document).into(),
            new.data.into(),
            status.as_str().into(),
            due.then_some(now.micros()).into(),
            at.into(),
            new.test.then_some(true).into(),
        ],
    )?;
    if due {
        delivery::wake(database, new.organisation, now)?;
    }
    let kind = FilterKey {
        r#type: new.kind.as_str(),
        action: new.action.as_str(),
        status: status.as_str(),
        sent: false,
    };
    EVENTS.add(database, new.organisation, kind, seq)
}

/// The `seq` of the organisation's latest event.
pub(crate) fn latest_seq(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<i64, StoreError> {
    sequence::last(database, organisation.into(), LISTING.kind)
}

/// A page of the organisation's events.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListEventsQuery,
) -> Result<Page<Event>, StoreError> {
    let status = query.delivery_status.as_ref();
    let kinds = FilterValues {
        r#type: query.r#type.as_ref().map(EventType::as_str).into(),
        action: query.action.as_ref().map(EventAction::as_str).into(),
        status: status.map(DeliveryStatus::as_str).into(),
        sent: None,
    };
    let mut filter = Filter::default()
        .equals("document_id", query.document_id.as_deref())
        .counted(&EVENTS, kinds);
    if query.order_by == Some(EventOrder::DeliveredAt) {
        filter = filter.by("webhook_sent_at");
    }
    let list = (&query.list, query.counts.as_ref());
    LISTING.matching_by_status(database, organisation, list, &filter, DeliveryStatus::KNOWN)
}

/// The events of a document in a time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DocumentEvents<'a> {
    pub(crate) organisation: OrganisationId,
    pub(crate) document: &'a str,
    pub(crate) since: Option<Timestamp>,
    pub(crate) until: Option<Timestamp>,
}

/// Columns of the events of a document in a time.
macro_rules! document_events {
    ($columns:literal, $order:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM events WHERE org_id = ?1 AND document_id = ?2 AND created_at >= ?3 AND created_at <= ?4",
            $order
        )
    };
    ($order:literal) => {
        document_events!(
            "id, type, action, delivery_status, attempts, webhook_sent_at, next_attempt_at, created_at",
            $order
        )
    };
}

impl DocumentEvents<'_> {
    fn values(&self) -> [Value<'_>; 4] {
        let since = self.since.map_or(i64::MIN, Timestamp::micros);
        let until = self.until.map_or(i64::MAX, Timestamp::micros);
        [
            self.organisation.into(),
            self.document.into(),
            since.into(),
            until.into(),
        ]
    }

    pub(crate) fn count(&self, database: &mut dyn Database) -> Result<u64, StoreError> {
        const COUNT: &str = document_events!("COUNT(*)", "");
        let rows = database.query(COUNT, &self.values())?;
        Ok(columns::value(&rows)?.unwrap_or(0))
    }

    /// The first events in a direction with their times, oldest first.
    pub(crate) fn first(
        &self,
        database: &mut dyn Database,
        sort: Sort,
        limit: u64,
    ) -> Result<Vec<(TimelineEvent, Timestamp)>, StoreError> {
        const OLDEST: &str = document_events!(" ORDER BY seq LIMIT ?5");
        const NEWEST: &str = document_events!(" ORDER BY seq DESC LIMIT ?5");
        let [organisation, document, since, until] = self.values();
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = match sort {
            Sort::Ascending => OLDEST,
            Sort::Descending => NEWEST,
        };
        let values = [organisation, document, since, until, limit.into()];
        let mut rows = database.query(sql, &values)?;
        if sort == Sort::Descending {
            rows.reverse();
        }
        rows.iter().map(read_timeline_event).collect()
    }
}

fn read_timeline_event(row: &Row) -> Result<(TimelineEvent, Timestamp), StoreError> {
    let event = TimelineEvent {
        id: get(row, 0)?,
        r#type: get(row, 1)?,
        action: get(row, 2)?,
        delivery_status: get(row, 3)?,
        attempts: get(row, 4)?,
        webhook_sent_at: get(row, 5)?,
        next_attempt_at: get(row, 6)?,
    };
    Ok((event, get(row, 7)?))
}
