//! `GET /notes`.

use super::{Note, NotedRecord, check_record};
use crate::field::query_fields;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};

query_fields! {
    /// The record whose notes are listed.
    ListNotesQuery {
        /// Type of the record.
        record_type: NotedRecord,
        /// Id of the record.
        record_id: String,
    }
    names &["record_type", "record_id"]
}

impl Validate for ListNotesQuery {
    fn validate(&self, report: &mut Report) {
        check_record(&self.record_type, &self.record_id, report);
    }
}

operation! {
    /// Lists the notes on a record, newest first.
    ListNotes in "note": GET "/notes",
    query: ListNotesQuery,
    response: Vec<Note>,
    AUTH: Auth::Session,
}
