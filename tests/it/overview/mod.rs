//! The overview.

mod get_overview;
mod get_overview_business;
mod get_overview_series;
