//! `POST /saved-views`.

use super::{SavedView, check_name, check_page, check_query};
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};

body! {
    /// A new saved view.
    CreateSavedViewBody {
        /// Path of the dashboard's page, `/payments`.
        page: String,
        /// Display name: a member's own views of a page have different names, and so do those of the organisation.
        name: String,
        /// Query of the page's URL, without the question mark; may be empty.
        query: String,
        /// Whether all members of the organisation see it, which needs the scope `write`; false when absent.
        shared: Option<bool>,
    }
}

impl Validate for CreateSavedViewBody {
    fn validate(&self, report: &mut Report) {
        check_page(&self.page, report);
        check_name(&self.name, report);
        check_query(&self.query, report);
    }
}

operation! {
    /// Saves a view of a list: at most 50 of a member's own, and 100 of the organisation.
    CreateSavedView in "saved_view": POST "/saved-views",
    body: CreateSavedViewBody,
    response: SavedView,
    SUCCESS: http::StatusCode::CREATED,
    AUTH: Auth::Session,
}
