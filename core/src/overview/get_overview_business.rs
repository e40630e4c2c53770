//! `GET /overview/business`.

use crate::operation::operation;
use crate::value::record::record;
use crate::value::{Amount, Currency};

record! {
    /// The sum of some records in one currency.
    CurrencyTotal {
        /// Currency symbol.
        currency: Currency,
        /// Number of records.
        count: u64,
        /// Exact sum of their amounts.
        amount: Amount,
        /// `amount` in US dollars; absent without a price.
        amount_usd?: Amount,
    }
}

record! {
    /// Recurring revenue, churn, conversion of paylinks, and money that is due.
    OverviewBusiness {
        /// Monthly recurring revenue: the prices of the active subscriptions, each divided by the months of its period, by currency. A
        /// month is the twelfth of a year of 365 days.
        monthly_revenue: Vec<CurrencyTotal>,
        /// Monthly recurring revenue in US dollars; absent if the price of one of its currencies is.
        monthly_revenue_usd?: Amount,
        /// Number of subscriptions with a period that has begun, paused ones included.
        subscriptions_running: u64,
        /// The same at the start of the last 30 days (UTC, today included).
        subscriptions_running_before: u64,
        /// Number of running subscriptions that ended in these days.
        subscriptions_ended: u64,
        /// `subscriptions_ended` in percent of `subscriptions_running_before`, to two decimal places; absent if that is zero.
        churn_pct?: Amount,
        /// Invoices that subscriptions will issue in the next seven days (UTC, today included), by currency.
        renewals: Vec<CurrencyTotal>,
        /// Payouts that are not confirmed yet, by currency, without money of test networks. All of them are due: none can be scheduled.
        payouts: Vec<CurrencyTotal>,
        /// Number of times the page of a paylink was opened in the last 30 days (UTC, today included).
        link_visits: u64,
        /// Number of checkouts of paylinks that were started in these days.
        checkouts_started: u64,
        /// Number of payments of paylinks that were confirmed in these days.
        checkouts_paid: u64,
        /// `checkouts_paid` in percent of `checkouts_started`, to two decimal places; absent if that is zero.
        conversion_pct?: Amount,
    }
}

operation! {
    /// Reads recurring revenue, churn, conversion of paylinks, and what is due in the next days.
    GetOverviewBusiness in "overview": GET "/overview/business",
    response: OverviewBusiness,
}
