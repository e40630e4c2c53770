//! Webhooks that the inbox of a sandbox received. Only the latest of each organisation are kept.

use settlekit_core::page::{ListQuery, Page};
use settlekit_core::sandbox::{InboxHeader, InboxMessage};
use settlekit_core::value::{EventId, OrganisationId, Timestamp};

use super::columns::get;
use super::list::{collect, direction, skipped};
use super::sql::{Database, Row, StoreError};
use super::statement::insert_numbered;
use super::{first, read_record, write_record};

/// Kept webhooks per organisation.
const KEPT: u32 = 500;

/// A received webhook.
#[derive(Debug)]
pub(crate) struct NewMessage<'a> {
    pub(crate) event: EventId,
    /// Event type and action.
    pub(crate) kind: &'a str,
    pub(crate) headers: &'a [InboxHeader],
    pub(crate) body: &'a str,
}

/// Keeps a webhook, and deletes the oldest beyond [`KEPT`].
pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    new: &NewMessage<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    // Without an older one, the comparison with NULL deletes nothing.
    const DELETE_OLDER: &str = "DELETE FROM inbox_messages WHERE org_id = ?1 AND id <= (SELECT id FROM inbox_messages \
         WHERE org_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)";
    insert_numbered!(database, "inbox_messages" {
        org_id: organisation,
        event_id: new.event,
        type: new.kind,
        headers: &write_record(&new.headers)?,
        body: new.body,
        received_at: now,
    })?;
    database
        .execute(DELETE_OLDER, &[organisation.into(), KEPT.into()])
        .map(drop)
}

/// A page of the organisation's webhooks. At most [`KEPT`] rows are counted or skipped.
pub(crate) fn page(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListQuery,
) -> Result<Page<InboxMessage>, StoreError> {
    const COUNT: &str = "SELECT COUNT(*) FROM inbox_messages WHERE org_id = ?1 AND received_at >= ?2 AND received_at <= ?3";
    let since = query.since.map_or(i64::MIN, Timestamp::micros);
    let until = query.until.map_or(i64::MAX, Timestamp::micros);
    let given = [organisation.into(), since.into(), until.into()];
    let total = first(database.query(COUNT, &given)?).map_or(Ok(0), |row| row.int(0))?;
    let (limit, skipped) = (query.limit(), skipped(query));
    let rows = format!(
        "SELECT id, event_id, type, headers, body, received_at FROM inbox_messages WHERE org_id = ?1 \
         AND received_at >= ?2 AND received_at <= ?3 ORDER BY id {} LIMIT {limit} OFFSET {skipped}",
        direction(query)
    );
    let rows = database.query(&rows, &given)?;
    let next = (skipped + i64::from(limit) < total).then(|| query.page().saturating_add(1));
    collect(&rows, u64::try_from(total).unwrap_or(0), next, read)
}

fn read(row: &Row) -> Result<(InboxMessage, Timestamp), StoreError> {
    let received_at: Timestamp = get(row, 5)?;
    let message = InboxMessage {
        id: row.int(0)?,
        event_id: get(row, 1)?,
        r#type: get(row, 2)?,
        headers: read_record(row.text(3)?)?,
        body: get(row, 4)?,
        received_at,
    };
    Ok((message, received_at))
}

/// Deletes all webhooks of the organisation; returns their number.
pub(crate) fn delete_all(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<u64, StoreError> {
    const DELETE: &str = "DELETE FROM inbox_messages WHERE org_id = ?1";
    database.execute(DELETE, &[organisation.into()])
}
