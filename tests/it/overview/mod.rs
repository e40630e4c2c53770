//! The overview.

mod get_overview;
mod get_overview_business;
