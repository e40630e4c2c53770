//! `GET /find`.

use super::Found;
use crate::field::query_fields;
use crate::operation::operation;
use crate::validate::{Report, Validate};

/// Maximum length of the search text, in characters.
const TEXT_CHARS_MAX: usize = 128;

query_fields! {
    /// Search text.
    FindRecordsQuery {
        /// A complete id, reference, address or transaction hash.
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
    /// Finds records of any age by id, reference, address or transaction hash.
    /// Returns at most 20.
    FindRecords in "find": GET "/find",
    query: FindRecordsQuery,
    response: Vec<Found>,
}
