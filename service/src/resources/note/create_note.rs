//! Writes a note on a record.

use settlekit_core::note::{CreateNote, CreateNoteBody, NOTES_MAX, Note};
use settlekit_core::value::NoteId;

use super::{member, noted, record};
use crate::store;
use crate::store::note::StoredNote;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn create_note(unit: &mut Unit<'_>, call: Received<CreateNote>) -> Outcome<Note> {
    let caller = &call.caller;
    let organisation = caller.organisation;
    let CreateNoteBody {
        record_type,
        record_id,
        text,
    } = call.body;
    let user = member(caller)?;
    let record_id = noted(unit, organisation, (&record_type, &record_id))?;
    let count = store::note::count(unit.database, organisation, (&record_type, &record_id))?;
    if usize::try_from(count).is_ok_and(|count| count >= NOTES_MAX) {
        return Err(Refusal::state_forbids(format!(
            "the record has {NOTES_MAX} notes already: delete one first"
        )));
    }
    let author = store::member::LISTING.find(unit.database, organisation, user)?;
    let author = author.map_or_else(String::new, |member| member.name.unwrap_or(member.email));
    let note = StoredNote {
        id: NoteId::new(unit.now, unit.id_bytes()),
        record_type,
        record_id,
        text: text.trim().to_owned(),
        author,
        user: Some(user),
        created_at: unit.now,
    };
    store::note::insert(unit.database, organisation, &note)?;
    Ok(record(caller, note))
}
