//! Saved views of the dashboard's lists: a name for the filters of a page, for one member or for all of the organisation.

mod create_saved_view;
mod delete_saved_view;
mod list_saved_views;
mod update_saved_view;

pub use create_saved_view::{CreateSavedView, CreateSavedViewBody};
pub use delete_saved_view::{DeleteSavedView, DeleteSavedViewPath};
pub use list_saved_views::ListSavedViews;
pub use update_saved_view::{UpdateSavedView, UpdateSavedViewBody, UpdateSavedViewPath};

use crate::error::Reason;
use crate::validate::Report;
use crate::value::record::record;
use crate::value::{SavedViewId, Timestamp, UserId};

/// Maximum length of a name, in characters.
pub const NAME_CHARS_MAX: usize = 60;

/// Maximum length of a page's path, in characters.
const PAGE_CHARS_MAX: usize = 100;

/// Maximum length of a query, in characters.
const QUERY_CHARS_MAX: usize = 1000;

/// Maximum number of a member's own views.
pub const OWN_VIEWS_MAX: usize = 50;

/// Maximum number of views that an organisation shares.
pub const SHARED_VIEWS_MAX: usize = 100;

record! {
    /// A saved view.
    SavedView {
        /// Unique id.
        id: SavedViewId,
        /// Path of the dashboard's page.
        page: String,
        /// Display name.
        name: String,
        /// Query of the page's URL, without the question mark.
        query: String,
        /// Whether all members of the organisation see it.
        shared: bool,
        /// Whether the caller may change and delete it.
        may_change: bool,
        /// Member who saved it; absent for a shared view whose author was removed.
        user_id?: UserId,
        /// Creation time.
        created_at: Timestamp,
        /// Time of the last change.
        updated_at: Timestamp,
    }
}

fn check_name(name: &str, report: &mut Report) {
    report.text("name", name, NAME_CHARS_MAX);
    if name.chars().any(char::is_control) {
        report.add_error(
            "name",
            Reason::TextMalformed,
            "must have no control characters",
        );
    }
}

fn check_page(page: &str, report: &mut Report) {
    report.text("page", page, PAGE_CHARS_MAX);
    // The dashboard makes a link of it, which must not leave the dashboard.
    let is_path = page.starts_with('/')
        && page
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_'))
        && !page.starts_with("//");
    if !page.trim().is_empty() && !is_path {
        report.add_error(
            "page",
            Reason::UrlMalformed,
            "must be the path of a page, without its query",
        );
    }
}

fn check_query(query: &str, report: &mut Report) {
    if query.is_empty() {
        return;
    }
    report.text("query", query, QUERY_CHARS_MAX);
    let is_query = query
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'#');
    if !query.trim().is_empty() && !is_query {
        report.add_error(
            "query",
            Reason::UrlMalformed,
            "must be the encoded query of a URL",
        );
    }
}
