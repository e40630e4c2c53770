//! `PATCH /saved-views/{saved_view_id}`.

use super::{SavedView, check_name, check_query};
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};
use crate::value::SavedViewId;

body! {
    /// Changes to a saved view; absent fields stay unchanged.
    UpdateSavedViewBody {
        /// Display name.
        name: Option<String>,
        /// Query of the page's URL, without the question mark.
        query: Option<String>,
        /// Whether all members of the organisation see it. Only its author can stop sharing it.
        shared: Option<bool>,
    }
}

impl Validate for UpdateSavedViewBody {
    fn validate(&self, report: &mut Report) {
        if let Some(name) = &self.name {
            check_name(name, report);
        }
        if let Some(query) = &self.query {
            check_query(query, report);
        }
    }
}

operation! {
    /// Changes a saved view: an own one, or a shared one with the scope `manage`.
    UpdateSavedView in "saved_view": PATCH "/saved-views/{saved_view_id}",
    path: UpdateSavedViewPath {
        /// The view's id.
        saved_view_id: SavedViewId,
    },
    body: UpdateSavedViewBody,
    response: SavedView,
    AUTH: Auth::Session,
}
