//! `POST /notes`.

use super::{Note, NotedRecord, TEXT_CHARS_MAX, check_record};
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};

body! {
    /// A new note.
    CreateNoteBody {
        /// Type of the record.
        record_type: NotedRecord,
        /// Id of the record, as text for accounts and movements too.
        record_id: String,
        /// Text of at most 2 000 characters.
        text: String,
    }
}

impl Validate for CreateNoteBody {
    fn validate(&self, report: &mut Report) {
        check_record(&self.record_type, &self.record_id, report);
        report.text("text", &self.text, TEXT_CHARS_MAX);
    }
}

operation! {
    /// Writes a note on a record: at most 200 per record.
    CreateNote in "note": POST "/notes",
    body: CreateNoteBody,
    response: Note,
    SUCCESS: http::StatusCode::CREATED,
    AUTH: Auth::Session,
    SCOPE: Scope::Write,
}
