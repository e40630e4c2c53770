//! Exchange rates: what a currency is worth in US dollars, and who says so.
//!
//! The contract has rates inside quotes and orders only; these two operations are companions of it.

mod list_rate_history;
mod list_rates;

pub use list_rate_history::{
    HourlyRate, ListRateHistory, ListRateHistoryPath, ListRateHistoryQuery, RatePeriod,
};
pub use list_rates::{
    ListRates, Rate, RateGap, RateList, RateSource, RateSourceStatus, SourceRate, SourceRateStatus,
};
