//! `GET /rates`.

use crate::operation::operation;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{Amount, Currency, Timestamp};

open_enum! {
    /// Why a currency has no price now: no source has a fresh one, only one of several has, or they contradict each other.
    RateGap { Stale, Alone, Disagree }
}

open_enum! {
    /// Whether a source's price counts: it is fresh, too old, held back after a jump, too far from the others, or not there yet.
    SourceRateStatus { Fresh, Old, HeldBack, Stray, Missing }
}

open_enum! {
    /// State of a price source. A paused one asked for no requests for a while.
    RateSourceStatus { Waiting, Healthy, Failing, Paused }
}

record! {
    /// Price of a currency by a source.
    SourceRate {
        /// Name of the source.
        source: String,
        /// US dollars per whole unit; absent before the first answer.
        usd?: Amount,
        /// The time that the age of the price counts from.
        priced_at?: Timestamp,
        /// Whether it counts.
        status: SourceRateStatus,
    }
}

record! {
    /// Price of a currency.
    Rate {
        /// Currency symbol.
        currency: Currency,
        /// US dollars per whole unit, the median of the fresh prices; absent when there is none now.
        usd?: Amount,
        /// The time of the oldest of them.
        priced_at?: Timestamp,
        /// Why there is no price now.
        gap?: RateGap,
        /// When there is no price now: the last one, only to be shown.
        last_usd?: Amount,
        /// The time of the last price.
        last_at?: Timestamp,
        /// Price of each source that quotes the currency, by name.
        sources: Vec<SourceRate>,
    }
}

record! {
    /// A connected price source.
    RateSource {
        /// Name.
        source: String,
        /// State.
        status: RateSourceStatus,
        /// When it last answered with prices.
        succeeded_at?: Timestamp,
        /// Since when it fails.
        failing_since?: Timestamp,
        /// Until when it asked for no requests.
        paused_until?: Timestamp,
        /// Latest error. A success with one is partial.
        last_error?: String,
    }
}

record! {
    /// The rates of all currencies, and their sources.
    RateList {
        /// The rates, by symbol; empty without a price source.
        items: Vec<Rate>,
        /// The connected price sources, by name.
        sources: Vec<RateSource>,
    }
}

operation! {
    /// Lists the current prices of currencies in US dollars, and the price of each source.
    ListRates in "rate": GET "/rates",
    response: RateList,
}
