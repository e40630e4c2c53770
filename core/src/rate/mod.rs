//! Exchange rates: the worth of a currency in US dollars, and the sources.
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
