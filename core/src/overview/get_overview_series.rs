//! `GET /overview/series`.

use crate::field::query_fields;
use crate::operation::operation;
use crate::validate::{Report, Validate};
use crate::value::Amount;
use crate::value::open::open_enum;
use crate::value::record::record;

open_enum! {
    /// Figure of a series.
    SeriesMetric {
        /// Booked balance at the end of each day, at the last price of the day.
        Balance = "balance",
        /// Confirmed deposits from outside, at the prices of their booking.
        In = "in",
        /// Confirmed withdrawals to the outside, at the prices of their booking.
        Out = "out",
    }
}

open_enum! {
    /// Length of a series in UTC days, today included.
    SeriesPeriod { Week = "7", Month = "30", Quarter = "90", Year = "365" }
}

query_fields! {
    /// Which figure and days to read.
    GetOverviewSeriesQuery {
        /// Figure.
        metric: SeriesMetric,
        /// Number of days; 30 when absent.
        period: Option<SeriesPeriod>,
        /// Whether to read as many days before them, too; false when absent.
        compare: Option<bool>,
    }
    names &["metric", "period", "compare"]
}

impl Validate for GetOverviewSeriesQuery {
    fn validate(&self, _: &mut Report) {}
}

record! {
    /// A figure on one day.
    SeriesPoint {
        /// Day in UTC, `2026-11-21`.
        date: String,
        /// US dollars, exact to the millionth.
        amount_usd: Amount,
    }
}

record! {
    /// A figure on the days of a period.
    SeriesPart {
        /// First day in UTC.
        from: String,
        /// Last day in UTC.
        to: String,
        /// The figure on each day, oldest first, without money of test networks. Days on which some of the money had no price are missing.
        points: Vec<SeriesPoint>,
        /// Number of missing days.
        missing_days: u64,
        /// Sum of `points`; absent for a balance, and if all days are missing.
        sum_usd?: Amount,
    }
}

record! {
    /// A figure of the organisation per day.
    OverviewSeries {
        /// Figure.
        metric: SeriesMetric,
        /// The days until today.
        current: SeriesPart,
        /// As many days before them, if asked for.
        previous?: SeriesPart,
    }
}

operation! {
    /// Reads the balance, or what came in or went out, per day.
    GetOverviewSeries in "overview": GET "/overview/series",
    query: GetOverviewSeriesQuery,
    response: OverviewSeries,
}
