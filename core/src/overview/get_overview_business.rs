//! `GET /overview/business`.

use crate::operation::operation;
use crate::value::record::record;
use crate::value::{Amount, Currency};

record! {
    /// Number and sum of records in one currency.
    CurrencyTotal {
        /// Currency symbol.
        currency: Currency,
        /// Number of records.
        count: u64,
        /// Sum of their amounts. Amounts of 79 billion and more are counted and not added.
        amount: Amount,
        /// `amount` in US dollars; absent without a price.
        amount_usd?: Amount,
    }
}

record! {
    /// Recurring revenue, churn, conversion of paylinks, and money that is due.
    OverviewBusiness {
        /// Monthly recurring revenue by currency: the prices of the active subscriptions, each divided by the months of its period. A period
        /// of days or weeks is measured in months of a twelfth of 365 days.
        monthly_revenue: Vec<CurrencyTotal>,
        /// Monthly recurring revenue in US dollars; absent without the price of one of its currencies.
        monthly_revenue_usd?: Amount,
        /// Number of subscriptions whose first period has begun and that have not ended, paused ones included.
        subscriptions_running: u64,
        /// Number of these at the start of the last 30 days (UTC, today included).
        subscriptions_running_before: u64,
        /// Number of running subscriptions that ended in these days.
        subscriptions_ended: u64,
        /// `subscriptions_ended` in percent of `subscriptions_running_before`, to two decimal places; absent if none ran before. Above 100
        /// if subscriptions of these days have ended, too.
        churn_pct?: Amount,
        /// Invoices of the next seven days (UTC, today included) for the next period of active subscriptions, and for the first one after a
        /// trial, by currency.
        renewals: Vec<CurrencyTotal>,
        /// Payouts that are not confirmed yet, by currency, without money of test networks. All of them are due: none can be scheduled.
        payouts: Vec<CurrencyTotal>,
        /// Number of times that pages of paylinks were opened in the last 30 days (UTC, today included).
        link_visits: u64,
        /// Number of checkouts of paylinks that were started in these days.
        checkouts_started: u64,
        /// Number of payments of paylinks that were confirmed in these days.
        checkouts_paid: u64,
        /// `checkouts_paid` in percent of `checkouts_started`, to two decimal places; absent if no checkout was started. Above 100 if
        /// checkouts of earlier days were paid.
        conversion_pct?: Amount,
    }
}

operation! {
    /// Reads recurring revenue, churn, conversion of paylinks, and what is due in the next days.
    GetOverviewBusiness in "overview": GET "/overview/business",
    response: OverviewBusiness,
}
