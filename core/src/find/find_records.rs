//! `GET /find`.

use super::Found;
use crate::field::query_fields;
use crate::operation::operation;
use crate::validate::{Report, Validate};

/// The longest text that is looked for, in characters.
const TEXT_CHARS_MAX: usize = 128;

query_fields! {
    /// What to look for.
    FindRecordsQuery {
        /// A reference, an address or a transaction's hash, whole.
        text: String,
    }
    names &["text"]
}

impl Validate for FindRecordsQuery {
    fn validate(&self, report: &mut Report) {
        report.text("text", &self.text, TEXT_CHARS_MAX);
    }
}

operation! {
    /// Finds records by a reference, an address or a transaction's hash, whenever they were made. At most twenty.
    FindRecords in "find": GET "/find",
    query: FindRecordsQuery,
    response: Vec<Found>,
}
