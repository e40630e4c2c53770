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
        /// A complete id, reference, address or transaction hash; the beginning of an id, hash or address, from six characters after
        /// its prefix; or a part of the name of an account, plan or payout destination, from three characters.
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
    /// Finds records of any age by id, reference, address, transaction hash or name.
    /// Returns at most 20, complete matches first, and at most five of a kind by a part.
    FindRecords in "find": GET "/find",
    query: FindRecordsQuery,
    response: Vec<Found>,
}
