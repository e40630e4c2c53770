//! The overview of an organisation, from stored counts and balances.

mod get_overview;
mod get_overview_business;
mod get_overview_series;
mod last_total;

pub(crate) use get_overview::get_overview;
pub(crate) use get_overview_business::get_overview_business;
pub(crate) use get_overview_series::get_overview_series;
