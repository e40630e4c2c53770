//! `GET /saved-views`.

use super::SavedView;
use crate::operation::{Auth, operation};

operation! {
    /// Lists the caller's own saved views and those of the organisation, by name.
    ListSavedViews in "saved_view": GET "/saved-views",
    response: Vec<SavedView>,
    AUTH: Auth::Session,
}
