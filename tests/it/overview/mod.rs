//! The overview.

mod get_overview;
