//! `GET /rates/{currency}/history`.

use crate::field::query;
use crate::operation::operation;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{Amount, Currency, Timestamp};

open_enum! {
    /// How far a history goes back: 24 hours, 7 days or 30 days with a price for each hour, or 365 days with one for each UTC day.
    RatePeriod { Day, Week, Month, Year }
}

query! {
    /// The part of the history.
    ListRateHistoryQuery {
        /// How far it goes back; a week when absent.
        period: Option<RatePeriod>,
    }
    names &["period"]
}

record! {
    /// The last price that was used in an hour.
    HourlyRate {
        /// Start of the hour.
        at: Timestamp,
        /// US dollars per whole unit.
        usd: Amount,
    }
}

operation! {
    /// Lists the past prices of a currency in US dollars, oldest first. Hours or days without a price are missing.
    ListRateHistory in "rate": GET "/rates/{currency}/history",
    path: ListRateHistoryPath {
        /// Currency symbol.
        currency: Currency,
    },
    query: ListRateHistoryQuery,
    response: Vec<HourlyRate>,
}
