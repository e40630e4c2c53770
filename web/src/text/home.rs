//! Home: figures, charts beside the previous period, and how the business does.

use settlekit_core::overview::SeriesPeriod;

use crate::text::language::{filled, translate};
use crate::text::rates;
use crate::text::words::words;

texts! {
    money = "Balance and volume";
    total = "Total balance";
    balance_over_time = "Balance over time";
    volume = "In and out";
    quarter = "90 days";
    balance_chart = "Balance at the end of each day (UTC), in US dollars. Use the left and right arrow keys to read each day.";
    weekly_chart = "Confirmed volume per week (UTC), in US dollars. Use the left and right arrow keys to read each week.";
    chart_hint = "Hover over the chart, or use the arrow keys. Days are in UTC.";
    previous_period = "Previous period";
    compared_with = "Compared with";
    balance_usd = "Balance (USD)";
    before_usd = "Before (USD)";
    no_before = "No figure for the previous period";
    no_balance = "No balance in this period";
    no_balance_hint = "The chart begins with the first payment.";
    no_volume = "Nothing came in or went out in this period";
    no_volume_hint = "Confirmed payments and payouts appear here.";
    no_prices_hint = "Days without a price are left out.";

    // --- How the business does ---

    business = "Business figures";
    revenue = "Monthly recurring revenue";
    churn = "Churn, 30 days";
    conversion_30 = "Conversion, 30 days";
    renewals = "Renewals, 7 days";
    payouts_due = "Payouts due";
    no_business = "Conversion appears with the first visit of a payment link, revenue with the first subscription.";

    // --- A payment link ---

    last_30_days = "Last 30 days";
    visits = "Visits";
    checkouts = "Checkouts";
    conversion = "Conversion";

    percent(number: &str) = "{number}%";
    before_sum(money: &str) = "Previous period: {money}";
    before_balance(money: &str) = "Before this period: {money}";
    missing_days(count: u64) = "{count} days without a price are left out", 1 = "1 day without a price is left out";
    missing_before(count: u64) = "{count} days of the previous period have no price", 1 = "1 day of the previous period has no price";
    span(from: &str, to: &str) = "{from} to {to}";
    subscriptions_of(count: &str) = "{count} subscriptions", "1" = "1 subscription";
    ended_of(ended: &str, before: &str) = "{ended} of {before} subscriptions ended";
    paid_of(paid: &str, started: &str) = "{paid} of {started} checkouts paid";
    visits_of(count: &str) = "{count} visits", "1" = "1 visit";
}

pub(crate) fn period_of(period: &SeriesPeriod) -> String {
    match period {
        SeriesPeriod::Week => rates::week().to_owned(),
        SeriesPeriod::Month => rates::month().to_owned(),
        SeriesPeriod::Quarter => quarter().to_owned(),
        SeriesPeriod::Year => rates::year().to_owned(),
        SeriesPeriod::Other(word) => words(word),
    }
}
