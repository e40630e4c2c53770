//! The event log, its deliveries and their attempts.

use settlekit_core::event::{
    Attempt, DeliveryStatus, Event, EventAction, EventOrder, EventType, ListEventsQuery,
};
use settlekit_core::page::Page;
use settlekit_core::value::{EventId, OrganisationId, Timestamp};

use super::list::Listing;
use super::sql::{Database, Row, StoreError, Value};
use super::{first, maybe_moment, moment, read_record, read_text, sequence, tally};

macro_rules! columns {
    () => {
        "l.id, l.seq, l.type, l.action, l.data, l.delivery_status, l.webhook_url, l.webhook_request, l.webhook_response, \
         l.webhook_response_error, l.webhook_response_status, l.webhook_sent_at, l.created_at, l.updated_at"
    };
}

const LISTING: Listing = Listing {
    table: "events",
    owner: "org_id",
    kind: "events",
    select: concat!("SELECT ", columns!(), " FROM events l"),
};

/// The count of an organisation's events with a delivery status.
pub(crate) fn tally_of(status: &DeliveryStatus) -> String {
    format!("event {status}")
}

fn read(row: &Row) -> Result<(Event, Timestamp), StoreError> {
    let text = |column: usize| row.maybe_text(column).map(|text| text.map(str::to_owned));
    let seq = row.int(1)?;
    let event = Event {
        id: read_text(row.text(0)?)?,
        display_id: format!("EV-{seq}"),
        event_id: seq,
        r#type: row.text(2)?.into(),
        action: row.text(3)?.into(),
        timestamp: moment(row, 12)?,
        data: read_record(row.text(4)?)?,
        delivery_status: Some(row.text(5)?.into()),
        webhook_url: text(6)?,
        webhook_request: text(7)?,
        webhook_response: text(8)?,
        webhook_response_error: text(9)?,
        webhook_response_status: row
            .maybe_int(10)?
            .and_then(|status| u16::try_from(status).ok()),
        webhook_sent_at: maybe_moment(row, 11)?,
    };
    Ok((event, moment(row, 13)?))
}

/// An event before it is recorded.
pub(crate) struct New<'a> {
    pub(crate) id: EventId,
    pub(crate) organisation: OrganisationId,
    pub(crate) kind: EventType,
    pub(crate) action: EventAction,
    pub(crate) document: Option<String>,
    pub(crate) data: &'a str,
    /// Whether there is somewhere to deliver it to.
    pub(crate) deliver: bool,
}

/// Records an event, to be delivered at once if there is somewhere to deliver it to.
pub(crate) fn insert(
    database: &mut dyn Database,
    new: &New<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    const INSERT: &str = "INSERT INTO events (id, org_id, seq, type, action, document_id, data, delivery_status, attempts, \
         next_attempt_at, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, ?9, ?10, ?10)";
    let owner = new.organisation.to_string();
    let (seq, at) = sequence::next(database, &owner, LISTING.kind, now)?;
    let status = if new.deliver {
        DeliveryStatus::Pending
    } else {
        DeliveryStatus::Skipped
    };
    database.execute(
        INSERT,
        &[
            (&new.id.to_string()).into(),
            (&owner).into(),
            seq.into(),
            new.kind.as_str().into(),
            new.action.as_str().into(),
            (&new.document).into(),
            new.data.into(),
            status.as_str().into(),
            new.deliver.then_some(at.micros()).into(),
            at.micros().into(),
        ],
    )?;
    tally::add(database, new.organisation, &tally_of(&status), 1)
}

/// The number of the organisation's latest event.
pub(crate) fn latest(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<i64, StoreError> {
    sequence::last(database, &organisation.to_string(), LISTING.kind)
}

/// An event of the organisation.
pub(crate) fn find(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: EventId,
) -> Result<Option<Event>, StoreError> {
    const FIND: &str = concat!(
        "SELECT ",
        columns!(),
        " FROM events l WHERE l.org_id = ?1 AND l.id = ?2"
    );
    let rows = database.query(
        FIND,
        &[(&organisation.to_string()).into(), (&id.to_string()).into()],
    )?;
    first(rows)
        .map(|row| read(&row).map(|(event, _)| event))
        .transpose()
}

/// One page of the organisation's events.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListEventsQuery,
) -> Result<Page<Event>, StoreError> {
    let owner = organisation.to_string();
    let filters: [(&str, Option<&str>); 4] = [
        ("document_id", query.document_id.as_deref()),
        ("action", query.action.as_ref().map(EventAction::as_str)),
        (
            "delivery_status",
            query.delivery_status.as_ref().map(DeliveryStatus::as_str),
        ),
        ("type", query.r#type.as_ref().map(EventType::as_str)),
    ];
    let mut condition = String::new();
    let mut values: Vec<Value<'_>> = Vec::new();
    for (column, value) in filters {
        if let Some(value) = value {
            values.push(value.into());
            condition.push_str(&format!(" AND l.{column} = ?{}", values.len() + 3));
        }
    }
    let order = match query.order_by {
        Some(EventOrder::DeliveredAt) => {
            condition.push_str(" AND l.webhook_sent_at IS NOT NULL");
            "l.webhook_sent_at {}, l.seq {}"
        }
        _ => "l.seq {}",
    };
    if condition.is_empty() {
        LISTING.page(database, (&owner).into(), &owner, &query.list, read)
    } else {
        LISTING.filtered(
            database,
            (&owner).into(),
            &owner,
            &query.list,
            (&condition, &values),
            order,
            read,
        )
    }
}

/// An event that is due for delivery.
#[derive(Debug, Clone)]
pub(crate) struct Due {
    pub(crate) id: EventId,
    pub(crate) organisation: OrganisationId,
    pub(crate) kind: EventType,
    pub(crate) action: EventAction,
    pub(crate) data: String,
    pub(crate) created_at: Timestamp,
}

/// Claims events that are due: the longest waiting first, no more than `share` of one organisation.
///
/// A claim is a later `next_attempt_at`: should the host die, the event becomes due again by itself.
pub(crate) fn claim(
    database: &mut dyn Database,
    now: Timestamp,
    until: Timestamp,
    limit: u32,
    share: u32,
) -> Result<Vec<Due>, StoreError> {
    const DUE: &str = "SELECT id, org_id FROM ( \
             SELECT id, org_id, seq, next_attempt_at, \
                 ROW_NUMBER() OVER (PARTITION BY org_id ORDER BY next_attempt_at, seq) AS turn \
             FROM (SELECT id, org_id, seq, next_attempt_at FROM events WHERE next_attempt_at <= ?1 \
                 ORDER BY next_attempt_at LIMIT 512) waiting \
         ) ranked WHERE turn <= ?2 ORDER BY turn, next_attempt_at, org_id, seq LIMIT ?3";
    const CLAIM: &str = "UPDATE events SET next_attempt_at = ?4, claimed_until = ?4 \
         WHERE org_id = ?1 AND id = ?2 AND next_attempt_at <= ?3 RETURNING type, action, data, created_at";
    let mut claimed = Vec::new();
    for due in database.query(DUE, &[now.micros().into(), share.into(), limit.into()])? {
        let (id, organisation) = (due.text(0)?, due.text(1)?);
        let values = [
            organisation.into(),
            id.into(),
            now.micros().into(),
            until.micros().into(),
        ];
        // Somebody else may have been quicker.
        let Some(row) = first(database.query(CLAIM, &values)?) else {
            continue;
        };
        claimed.push(Due {
            id: read_text(id)?,
            organisation: read_text(organisation)?,
            kind: row.text(0)?.into(),
            action: row.text(1)?.into(),
            data: row.text(2)?.to_owned(),
            created_at: moment(&row, 3)?,
        });
    }
    Ok(claimed)
}

/// Where the delivery of an event stands: attempts made, status; locked until the transaction ends.
pub(crate) fn lock_delivery(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: EventId,
) -> Result<Option<(u32, DeliveryStatus)>, StoreError> {
    const LOCK: &str =
        "SELECT attempts, delivery_status FROM events WHERE org_id = ?1 AND id = ?2 FOR UPDATE";
    let rows = database.query(
        LOCK,
        &[(&organisation.to_string()).into(), (&id.to_string()).into()],
    )?;
    let Some(row) = first(rows) else {
        return Ok(None);
    };
    Ok(Some((
        u32::try_from(row.int(0)?).unwrap_or(u32::MAX),
        row.text(1)?.into(),
    )))
}

/// Records an attempt and what follows from it.
pub(crate) fn record_attempt(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: EventId,
    attempt: &Attempt,
    (before, after): (&DeliveryStatus, &DeliveryStatus),
    next_attempt_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<(), StoreError> {
    const ATTEMPT: &str = "INSERT INTO attempts (event_id, number, org_id, url, request, response, status, error, sent_at, duration_ms) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    const EVENT: &str = "UPDATE events SET attempts = ?3, delivery_status = ?4, next_attempt_at = ?5, claimed_until = NULL, \
         webhook_url = ?6, webhook_request = ?7, webhook_response = ?8, webhook_response_status = ?9, webhook_response_error = ?10, \
         webhook_sent_at = ?11, updated_at = ?12 WHERE org_id = ?1 AND id = ?2";
    let (event, owner) = (id.to_string(), organisation.to_string());
    database.execute(
        ATTEMPT,
        &[
            (&event).into(),
            attempt.number.into(),
            (&owner).into(),
            (&attempt.url).into(),
            (&attempt.request).into(),
            (&attempt.response).into(),
            attempt.status.into(),
            (&attempt.error).into(),
            attempt.sent_at.micros().into(),
            attempt.duration_ms.into(),
        ],
    )?;
    database.execute(
        EVENT,
        &[
            (&owner).into(),
            (&event).into(),
            attempt.number.into(),
            after.as_str().into(),
            next_attempt_at.map(Timestamp::micros).into(),
            (&attempt.url).into(),
            (&attempt.request).into(),
            (&attempt.response).into(),
            attempt.status.into(),
            (&attempt.error).into(),
            attempt.sent_at.micros().into(),
            now.micros().into(),
        ],
    )?;
    tally::shift(database, organisation, &tally_of(before), &tally_of(after))
}

/// Makes an event due at once.
pub(crate) fn make_due(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: EventId,
    before: &DeliveryStatus,
    now: Timestamp,
) -> Result<(), StoreError> {
    const DUE: &str = "UPDATE events SET next_attempt_at = ?3, delivery_status = ?4, updated_at = ?3 WHERE org_id = ?1 AND id = ?2";
    let pending = DeliveryStatus::Pending;
    database.execute(
        DUE,
        &[
            (&organisation.to_string()).into(),
            (&id.to_string()).into(),
            now.micros().into(),
            pending.as_str().into(),
        ],
    )?;
    tally::shift(
        database,
        organisation,
        &tally_of(before),
        &tally_of(&pending),
    )
}

/// The attempts to deliver an event, oldest first.
pub(crate) fn attempts(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: EventId,
) -> Result<Vec<Attempt>, StoreError> {
    const ATTEMPTS: &str = "SELECT number, url, request, response, status, error, sent_at, duration_ms FROM attempts \
         WHERE org_id = ?1 AND event_id = ?2 ORDER BY number";
    let rows = database.query(
        ATTEMPTS,
        &[(&organisation.to_string()).into(), (&id.to_string()).into()],
    )?;
    let text =
        |row: &Row, column: usize| row.maybe_text(column).map(|text| text.map(str::to_owned));
    rows.iter()
        .map(|row| {
            Ok(Attempt {
                number: u32::try_from(row.int(0)?).unwrap_or(0),
                url: row.text(1)?.to_owned(),
                request: row.text(2)?.to_owned(),
                response: text(row, 3)?,
                status: row
                    .maybe_int(4)?
                    .and_then(|status| u16::try_from(status).ok()),
                error: text(row, 5)?,
                sent_at: moment(row, 6)?,
                duration_ms: u32::try_from(row.int(7)?).unwrap_or(0),
            })
        })
        .collect()
}
