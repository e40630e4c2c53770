//! Exchange rates, their history and their sources.

use settlekit_core::rate::{RateGap, RatePeriod, RateSourceStatus, SourceRateStatus};

use crate::text::language::{filled, translate};
use crate::text::words::words;

texts! {
    price = "US dollars";
    no_price = "No price";
    as_of = "As of";
    last_known = "Last price";
    period = "Period";
    day = "24 hours";
    week = "7 days";
    month = "30 days";
    year = "1 year";
    no_history = "No prices in this period";
    no_history_hint = "Prices are kept by the hour.";
    history_hint = "Point at the chart, or use the arrow keys.";
    hour = "Hour";
    sources = "Price sources";
    sources_why = "A price is the median of the fresh sources.";
    source = "Source";
    last_answer = "Last answer";
    problem = "Problem";
    counts = "Counts";
    no_sources = "No price source is connected";
    no_sources_hint = "The operator connects one with “settlekit price connect”.";
    no_rates = "No rates yet";
    no_rates_hint = "The first prices arrive within seconds.";

    stale = "No fresh price.";
    alone = "Only one source is fresh.";
    disagree = "The sources contradict each other.";
    fresh = "Fresh";
    old = "Too old";
    held_back = "Held back";
    stray = "Too far off";
    missing = "No price yet";
    waiting = "Not asked yet";
    healthy = "Working";
    failing = "Failing";
    paused = "Paused by the source";

    history_of(currency: &str) = "{currency} in US dollars";
}

/// Why there is no price.
pub(crate) fn gap_of(gap: &RateGap) -> String {
    match gap {
        RateGap::Stale => stale().to_owned(),
        RateGap::Alone => alone().to_owned(),
        RateGap::Disagree => disagree().to_owned(),
        RateGap::Other(word) => words(word),
    }
}

pub(crate) fn period_of(period: &RatePeriod) -> String {
    match period {
        RatePeriod::Day => day().to_owned(),
        RatePeriod::Week => week().to_owned(),
        RatePeriod::Month => month().to_owned(),
        RatePeriod::Year => year().to_owned(),
        RatePeriod::Other(word) => words(word),
    }
}

/// Whether a source's price counts: the word of its tone, and its label.
pub(crate) fn source_rate_of(status: &SourceRateStatus) -> (&'static str, String) {
    match status {
        SourceRateStatus::Fresh => ("Active", fresh().to_owned()),
        SourceRateStatus::Old => ("Pending", old().to_owned()),
        SourceRateStatus::HeldBack => ("Pending", held_back().to_owned()),
        SourceRateStatus::Stray => ("Failed", stray().to_owned()),
        SourceRateStatus::Missing => ("", missing().to_owned()),
        SourceRateStatus::Other(word) => ("", words(word)),
    }
}

/// The state of a source: the word of its tone, and its label.
pub(crate) fn source_of(status: &RateSourceStatus) -> (&'static str, String) {
    match status {
        RateSourceStatus::Waiting => ("", waiting().to_owned()),
        RateSourceStatus::Healthy => ("Active", healthy().to_owned()),
        RateSourceStatus::Failing => ("Failed", failing().to_owned()),
        RateSourceStatus::Paused => ("Pending", paused().to_owned()),
        RateSourceStatus::Other(word) => ("", words(word)),
    }
}
