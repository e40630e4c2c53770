//! Dashboard overview.

mod get_overview;
mod get_overview_business;
mod get_overview_series;

pub use get_overview::GetOverview;
pub use get_overview_business::{CurrencyTotal, GetOverviewBusiness, OverviewBusiness};
pub use get_overview_series::{
    GetOverviewSeries, GetOverviewSeriesQuery, OverviewSeries, SeriesMetric, SeriesPart,
    SeriesPeriod, SeriesPoint,
};

use crate::chain::Chain;
use crate::value::record::record;
use crate::value::{AccountId, AccountReference, Amount, Currency, Timestamp};

/// Path of the overview as server-sent events, for hosts with long-lived connections: sent on every change and at least every 15
/// seconds. The event data is the answer of [`GetOverview`].
pub const LIVE: &str = "/v1/overview/live";

record! {
    /// Overview of the organisation.
    Overview {
        /// Balances, one per currency and chain.
        balances: Vec<OverviewBalance>,
        /// Total of `available` in US dollars, without money of test networks; absent without a price source.
        total_usd?: Amount,
        /// Total of `reserved` in US dollars, without money of test networks; absent without the price of one of its currencies.
        reserved_usd?: Amount,
        /// The total at the last known prices, while a currency has none now. To be shown only: nothing is booked or quoted with it.
        last_total_usd?: Amount,
        /// Time of the oldest of these prices.
        last_total_at?: Timestamp,
        /// Up to ten accounts with the largest balances, largest first, without test networks; empty without a price source.
        accounts: Vec<OverviewAccount>,
        /// Confirmed daily volume of the last 30 days, oldest first.
        volume: Vec<DayVolume>,
        /// Number of payments with status Processing, without payouts.
        payments_processing: u64,
        /// Number of payouts that wait for a second member's approval.
        payouts_awaiting_approval: u64,
        /// Number of movements with status Pending or Processing.
        movements_pending: u64,
        /// Number of movements of the last 30 days with status Failed.
        movements_failed: u64,
        /// Account of the latest failed movement.
        failed_account_id?: AccountId,
        /// Number of events whose delivery failed permanently.
        deliveries_failed: u64,
        /// Number of events waiting for delivery.
        deliveries_pending: u64,
        /// Number of paylinks that accept payments.
        paylinks_active: u64,
        /// Number of firm quotes that can be accepted.
        quotes_open: u64,
        /// Expiry of the first of them.
        quote_expires_at?: Timestamp,
        /// Whether the organisation is suspended.
        is_suspended: bool,
        /// Reason of the suspension.
        suspension_type?: String,
        /// Status of the owner's identity check, if any.
        kyc_status?: String,
        /// Result of the company check, if any.
        kyb_status?: String,
        /// Increases with every event; an older overview is out of date.
        revision: i64,
        /// Time of the service at the answer. A sandbox's clock may be ahead of the browser's.
        now: Timestamp,
    }
}

record! {
    /// Balance of the organisation in one currency on one chain.
    OverviewBalance {
        /// Currency symbol.
        currency: Currency,
        /// Chain.
        chain: Chain,
        /// Booked balance.
        posted: Amount,
        /// Reserved for operations in progress.
        reserved: Amount,
        /// `posted` minus `reserved`.
        available: Amount,
        /// `available` in US dollars; absent without a price, and on a test network.
        amount_usd?: Amount,
    }
}

record! {
    /// Balance of one account.
    OverviewAccount {
        /// Account id.
        account_id: AccountId,
        /// Name.
        name?: String,
        /// Merchant-defined reference.
        reference?: AccountReference,
        /// Chain.
        chain?: Chain,
        /// Available balance in US dollars.
        amount_usd: Amount,
    }
}

record! {
    /// Volume of one day.
    DayVolume {
        /// Day in UTC, `2026-11-21`.
        date: String,
        /// Incoming volume in US dollars, without money of test networks; absent without a price source.
        in_usd?: Amount,
        /// Outgoing volume in US dollars, without money of test networks; absent without a price source.
        out_usd?: Amount,
        /// Number of confirmed movements.
        count: u64,
    }
}
