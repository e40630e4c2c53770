//! `DELETE /saved-views/{saved_view_id}`.

use super::SavedView;
use crate::operation::{Auth, operation};
use crate::value::SavedViewId;

operation! {
    /// Deletes a saved view: an own one, or a shared one with the scope `manage`.
    DeleteSavedView in "saved_view": DELETE "/saved-views/{saved_view_id}",
    path: DeleteSavedViewPath {
        /// The view's id.
        saved_view_id: SavedViewId,
    },
    response: SavedView,
    AUTH: Auth::Session,
}
