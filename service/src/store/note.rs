//! Notes of members on records.

use settlekit_core::note::{Note, NotedRecord};
use settlekit_core::value::{NoteId, OrganisationId, Timestamp, UserId};

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::{delete, insert};

/// A note as stored.
#[derive(Debug, Clone)]
pub(crate) struct StoredNote {
    pub(crate) id: NoteId,
    pub(crate) record_type: NotedRecord,
    /// Canonical.
    pub(crate) record_id: String,
    pub(crate) text: String,
    /// The author's name at the time.
    pub(crate) author: String,
    /// `None` for a note from another installation.
    pub(crate) user: Option<UserId>,
    pub(crate) created_at: Timestamp,
}

columns! { StoredNote { id, record_type, record_id, text, author, user, created_at } }

impl StoredNote {
    /// The record, for a caller who may delete it or not.
    pub(crate) fn into_record(self, may_delete: bool) -> Note {
        Note {
            id: self.id,
            record_type: self.record_type,
            record_id: self.record_id,
            text: self.text,
            author: self.author,
            user_id: self.user,
            may_delete,
            created_at: self.created_at,
        }
    }
}

/// The columns of [`StoredNote`], of an organisation.
macro_rules! notes {
    ($more:literal) => {
        concat!(
            "SELECT id, record_type, record_id, text, author, user_id, created_at FROM notes WHERE org_id = ?1",
            $more
        )
    };
}

/// The notes on a record, newest first. Their number is limited.
pub(crate) fn of_record(
    database: &mut dyn Database,
    organisation: OrganisationId,
    (record_type, record_id): (&NotedRecord, &str),
) -> Result<Vec<StoredNote>, StoreError> {
    const OF_RECORD: &str =
        notes!(" AND record_id = ?2 AND record_type = ?3 ORDER BY created_at DESC, id DESC");
    let given = [
        organisation.into(),
        record_id.into(),
        record_type.as_str().into(),
    ];
    columns::all(&database.query(OF_RECORD, &given)?)
}

/// The number of notes on a record.
pub(crate) fn count(
    database: &mut dyn Database,
    organisation: OrganisationId,
    (record_type, record_id): (&NotedRecord, &str),
) -> Result<i64, StoreError> {
    const COUNT: &str =
        "SELECT COUNT(*) FROM notes WHERE org_id = ?1 AND record_id = ?2 AND record_type = ?3";
    let given = [
        organisation.into(),
        record_id.into(),
        record_type.as_str().into(),
    ];
    Ok(columns::value(&database.query(COUNT, &given)?)?.unwrap_or(0))
}

/// A note, locked until the transaction ends.
pub(crate) fn lock(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: NoteId,
) -> Result<Option<StoredNote>, StoreError> {
    const LOCK: &str = notes!(" AND id = ?2 FOR UPDATE");
    columns::first(&database.query(LOCK, &[organisation.into(), id.into()])?)
}

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    note: &StoredNote,
) -> Result<(), StoreError> {
    insert!(database, "notes" {
        id: note.id,
        org_id: organisation,
        record_type: note.record_type.as_str(),
        record_id: &note.record_id,
        text: &note.text,
        author: &note.author,
        user_id: note.user,
        created_at: note.created_at,
    })
}

pub(crate) fn delete(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: NoteId,
) -> Result<(), StoreError> {
    delete!(database, "notes" [org_id: organisation, id: id])
}
