//! Replays: events to deliver again, and the progress.

use serde::{Deserialize, Serialize};
use settlekit_core::event::{DeliveryStatus, EventAction, EventType, Replay};
use settlekit_core::page::ListQuery;
use settlekit_core::value::{EventId, OrganisationId, ReplayId, Timestamp};

use super::columns::{Columns, get};
use super::delivery::{self, Delivery};
use super::event::LISTING;
use super::filter_counts::{EVENTS, FilterValues, Wanted};
use super::sql::{Database, Row, StoreError};
use super::statement::{insert, update};
use super::{filter, one, read_record, write_record};

/// The events to replay; `None` matches any.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Filter {
    pub(crate) since: Option<Timestamp>,
    pub(crate) until: Option<Timestamp>,
    pub(crate) r#type: Option<EventType>,
    pub(crate) action: Option<EventAction>,
    pub(crate) delivery_status: DeliveryStatus,
}

impl Filter {
    /// Its time bounds.
    fn within(&self) -> ListQuery {
        ListQuery {
            since: self.since,
            until: self.until,
            ..ListQuery::default()
        }
    }

    fn kinds(&self) -> FilterValues<'_> {
        FilterValues {
            r#type: self.r#type.as_ref().map(EventType::as_str).into(),
            action: self.action.as_ref().map(EventAction::as_str).into(),
            status: Wanted::One(self.delivery_status.as_str()),
            sent: None,
        }
    }
}

/// A replay with its progress.
#[derive(Debug, Clone)]
pub(crate) struct Running {
    pub(crate) organisation: OrganisationId,
    pub(crate) replay: Replay,
    pub(crate) filter: Filter,
    pub(crate) after_seq: i64,
    pub(crate) last_seq: i64,
}

pub(crate) fn count(
    database: &mut dyn Database,
    organisation: OrganisationId,
    filter: &Filter,
) -> Result<u64, StoreError> {
    let rows = filter::Filter::default().counted(&EVENTS, filter.kinds());
    LISTING.total(database, organisation.into(), &filter.within(), &rows)
}

/// The next batch of a replay: events with their delivery state.
pub(crate) struct Next {
    pub(crate) events: Vec<(EventId, Delivery)>,
    /// Remaining matches, including these.
    pub(crate) ahead: u64,
}

/// The next matching events, at most `limit`.
pub(crate) fn next(
    database: &mut dyn Database,
    running: &Running,
    limit: u32,
) -> Result<Next, StoreError> {
    let filter = &running.filter;
    let bounds = LISTING.bounds(database, running.organisation.into(), &filter.within())?;
    let range = (
        bounds.from.max(running.after_seq + 1),
        bounds.to.min(running.last_seq),
    );
    let (kinds, last) = (filter.kinds(), bounds.last);
    let sum = EVENTS.sum(database, running.organisation.into(), kinds, range, last)?;
    let ahead = u64::try_from(sum.total()).unwrap_or(0);
    if sum.segments.is_empty() {
        let events = Vec::new();
        return Ok(Next { events, ahead });
    }
    let mut given = vec![running.organisation.into(), range.0.into(), range.1.into()];
    let end = format!("ORDER BY seq ASC LIMIT {limit}");
    let numbers = EVENTS.rows(&sum.kinds, None, &end, &mut given);
    let sql = format!(
        "SELECT id, {} FROM events l WHERE l.org_id = ?1 AND l.seq IN (SELECT seq FROM ({numbers}) numbers {end}) ORDER BY l.seq",
        delivery::delivery_columns!()
    );
    let rows = database.query(&sql, &given)?;
    let events = rows
        .iter()
        .map(|row| Ok((get(row, 0)?, Delivery::read(row, 1)?)));
    Ok(Next {
        events: events.collect::<Result<_, StoreError>>()?,
        ahead,
    })
}

pub(crate) fn insert(database: &mut dyn Database, running: &Running) -> Result<(), StoreError> {
    insert!(database, "replays" {
        id: running.replay.id,
        org_id: running.organisation,
        status: running.replay.status.as_str(),
        filter: &write_record(&running.filter)?,
        after_seq: running.after_seq,
        last_seq: running.last_seq,
        record: &write_record(&running.replay)?,
        created_at: running.replay.created_at,
    })
}

/// Saves a replay's progress.
pub(crate) fn update(database: &mut dyn Database, running: &Running) -> Result<(), StoreError> {
    update!(database, "replays" [org_id: running.organisation, id: running.replay.id] {
        status: running.replay.status.as_str(),
        after_seq: running.after_seq,
        record: &write_record(&running.replay)?,
    })
}

const COLUMNS: &str = "SELECT org_id, record, filter, after_seq, last_seq FROM replays";

fn read(row: &Row) -> Result<Running, StoreError> {
    Ok(Running {
        organisation: get(row, 0)?,
        replay: read_record(row.text(1)?)?,
        filter: read_record(row.text(2)?)?,
        after_seq: row.int(3)?,
        last_seq: row.int(4)?,
    })
}

/// A replay of the organisation; `lock` locks it until the transaction ends.
pub(crate) fn find(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: ReplayId,
    lock: bool,
) -> Result<Option<Running>, StoreError> {
    let sql = format!(
        "{COLUMNS} WHERE org_id = ?1 AND id = ?2{}",
        if lock { " FOR UPDATE" } else { "" }
    );
    one(
        database.query(&sql, &[organisation.into(), id.into()])?,
        read,
    )
}

/// Reads and locks running replays across organisations, oldest first.
pub(crate) fn running(database: &mut dyn Database, limit: u32) -> Result<Vec<Running>, StoreError> {
    let sql = format!(
        "{COLUMNS} WHERE status = 'Running' ORDER BY created_at, id LIMIT {limit} FOR UPDATE SKIP LOCKED"
    );
    database.query(&sql, &[])?.iter().map(read).collect()
}
