//! `DELETE /notes/{note_id}`.

use super::Note;
use crate::operation::{Auth, Scope, operation};
use crate::value::NoteId;

operation! {
    /// Deletes a note: an own one, or any with the scope `manage`.
    DeleteNote in "note": DELETE "/notes/{note_id}",
    path: DeleteNotePath {
        /// The note's id.
        note_id: NoteId,
    },
    response: Note,
    AUTH: Auth::Session,
    SCOPE: Scope::Write,
}
