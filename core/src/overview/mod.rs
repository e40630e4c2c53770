//! What an operator sees first.

mod get_overview;

pub use get_overview::GetOverview;

use crate::chain::Chain;
use crate::value::record::record;
use crate::value::{AccountId, AccountReference, Amount, Currency, Timestamp};

/// Where a host that can hold a connection open gives the overview as server-sent events: whenever it has changed, and
/// every fifteen seconds at least. An event's data is the answer of [`GetOverview`].
pub const LIVE: &str = "/v1/overview/live";

record! {
    /// The organisation at a glance.
    Overview {
        /// One for each currency on each chain.
        balances: Vec<OverviewBalance>,
        /// All of it in US dollars; absent while no price source is connected.
        total_usd?: Amount,
        /// The accounts that hold the most, at most ten, the fullest first; none while no price source is connected.
        accounts: Vec<OverviewAccount>,
        /// Confirmed volume of the last 30 days, oldest first.
        volume: Vec<DayVolume>,
        /// Payments that are Processing.
        payments_processing: u64,
        /// Movements that are Pending or Processing.
        movements_pending: u64,
        /// Movements of the last 30 days that are Failed.
        movements_failed: u64,
        /// The account of the latest of them.
        failed_account_id?: AccountId,
        /// Events whose delivery failed for good.
        deliveries_failed: u64,
        /// Events that are to be delivered.
        deliveries_pending: u64,
        /// Paylinks that take payments.
        paylinks_active: u64,
        /// Firm quotes that can still be accepted.
        quotes_open: u64,
        /// When the first of them expires.
        quote_expires_at?: Timestamp,
        /// Whether the organisation may not act.
        is_suspended: bool,
        /// Why not.
        suspension_type?: String,
        /// Where the check of the owner stands, once there is one.
        kyc_status?: String,
        /// What the check of the company came to, once there is one.
        kyb_status?: String,
        /// Grows with every event: whoever holds an older one should look again.
        revision: i64,
    }
}

record! {
    /// What the organisation holds in one currency on one chain.
    OverviewBalance {
        /// The currency.
        currency: Currency,
        /// The chain.
        chain: Chain,
        /// What is booked.
        posted: Amount,
        /// What is set aside for work under way.
        reserved: Amount,
        /// Posted less reserved.
        available: Amount,
        /// `available` in US dollars.
        amount_usd?: Amount,
    }
}

record! {
    /// What an account holds.
    OverviewAccount {
        /// The account.
        account_id: AccountId,
        /// Its name.
        name?: String,
        /// Its reference.
        reference?: AccountReference,
        /// Where it is.
        chain?: Chain,
        /// What is available there in US dollars.
        amount_usd: Amount,
    }
}

record! {
    /// What came in and went out on one day.
    DayVolume {
        /// The day in UTC, `2026-11-21`.
        date: String,
        /// In, in US dollars; absent while no price source is connected.
        in_usd?: Amount,
        /// Out, in US dollars; absent while no price source is connected.
        out_usd?: Amount,
        /// Confirmed movements.
        count: u64,
    }
}
