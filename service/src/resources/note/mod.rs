//! Notes of members on records: seen by all members, deleted by their author or an owner.

mod create_note;

pub(crate) use create_note::create_note;

use std::str::FromStr;

use settlekit_core::error::Reason;
use settlekit_core::note::{DeleteNote, ListNotes, Note, NotedRecord};
use settlekit_core::operation::Scope;
use settlekit_core::value::{NoteId, OrganisationId, UserId};

use crate::store;
use crate::store::listing::Listing;
use crate::store::note::StoredNote;
use crate::store::sql::{StoreError, Value};
use crate::unit::caller::{Caller, Via, session_over};
use crate::unit::{Outcome, Received, Refusal, Unit};

/// The member of a session.
fn member(caller: &Caller) -> Outcome<UserId> {
    match caller.via {
        Via::Session { user, .. } => Ok(user),
        Via::Key { .. } => Err(session_over()),
    }
}

/// The note for a caller.
pub(crate) fn record(caller: &Caller, note: StoredNote) -> Note {
    let is_author = member(caller).is_ok_and(|user| note.user == Some(user));
    let may_delete = caller.scopes.contains(&Scope::Write)
        && (is_author || caller.scopes.contains(&Scope::Manage));
    note.into_record(may_delete)
}

/// The canonical id of a record of the organisation; refuses one that does not exist.
fn noted(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    (record, id): (&NotedRecord, &str),
) -> Outcome<String> {
    let canonical = match record {
        NotedRecord::Account => found(unit, organisation, id, &store::account::LISTING),
        NotedRecord::Customer => found(unit, organisation, id, &store::customer::RECORDS),
        NotedRecord::Invoice => found(unit, organisation, id, &store::invoice::LISTING),
        NotedRecord::Movement => found(unit, organisation, id, &store::movement::ALL),
        NotedRecord::Payment => found(unit, organisation, id, &store::payment::LISTING),
        NotedRecord::Paylink => found(unit, organisation, id, &store::paylink::LISTING),
        NotedRecord::Subscription => found(unit, organisation, id, &store::subscription::LISTING),
        NotedRecord::Other(_) => Ok(None),
    };
    canonical?.ok_or_else(|| {
        Refusal::reference_unknown("record_id", "is not a known record of this type")
    })
}

/// The canonical id of a record of a list, if it exists.
fn found<T, Id>(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: &str,
    records: &Listing<T, Id>,
) -> Result<Option<String>, StoreError>
where
    Id: FromStr + ToString + Copy + for<'a> Into<Value<'a>>,
{
    let Ok(id) = id.parse::<Id>() else {
        return Ok(None);
    };
    let record = records.find(unit.database, organisation, id)?;
    Ok(record.map(|_| id.to_string()))
}

pub(crate) fn list_notes(unit: &mut Unit<'_>, call: Received<ListNotes>) -> Outcome<Vec<Note>> {
    let caller = &call.caller;
    let kind = &call.query.record_type;
    let id = noted(unit, caller.organisation, (kind, &call.query.record_id))?;
    let all = store::note::of_record(unit.database, caller.organisation, (kind, &id))?;
    Ok(all.into_iter().map(|note| record(caller, note)).collect())
}

/// A note that the caller may delete, locked.
fn lock(unit: &mut Unit<'_>, caller: &Caller, id: NoteId) -> Outcome<StoredNote> {
    let note = store::note::lock(unit.database, caller.organisation, id)?
        .ok_or_else(|| Refusal::not_found("note"))?;
    if note.user == Some(member(caller)?) || caller.scopes.contains(&Scope::Manage) {
        return Ok(note);
    }
    Err(Refusal::because(
        Reason::ScopeMissing,
        "only the author and owners may delete a note",
    ))
}

pub(crate) fn delete_note(unit: &mut Unit<'_>, call: Received<DeleteNote>) -> Outcome<Note> {
    let note = lock(unit, &call.caller, call.path.note_id)?;
    store::note::delete(unit.database, call.caller.organisation, note.id)?;
    Ok(record(&call.caller, note))
}
