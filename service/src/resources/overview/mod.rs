//! The overview of an organisation, from stored counts and balances.

mod get_overview;
mod last_total;

pub(crate) use get_overview::get_overview;
