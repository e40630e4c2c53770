//! Customers, plans, subscriptions and invoices.

use super::words;

// --- Customers ---

pub(crate) const CUSTOMERS: &str = "Customers";
pub(crate) const CUSTOMERS_LEAD: &str =
    "Who has paid you, how often, and when last. They come into being with their first payment.";
pub(crate) const CUSTOMER_ID: &str = "Customer";
pub(crate) const NAME: &str = "Name";
pub(crate) const SEARCH: &str = "Search";
pub(crate) const SEARCH_CUSTOMERS: &str = "Name, e-mail, reference";
pub(crate) const VISITS: &str = "Visits";
pub(crate) const PAYMENTS_COUNT: &str = "Payments";
pub(crate) const LAST_PAYMENT: &str = "Last payment";
pub(crate) const GUEST: &str = "Guest";
pub(crate) const PHONE: &str = "Phone";
pub(crate) const WALLET: &str = "Wallet";
pub(crate) const DISCORD: &str = "Discord";
pub(crate) const TWITTER: &str = "Twitter";
pub(crate) const CUSTOMER_REFERENCE_HINT: &str = "Your own name for this customer.";
pub(crate) const PHONE_HINT: &str = "With the country in front: +49 30 123456.";
pub(crate) const NO_CUSTOMERS: &str = "No customers yet";
pub(crate) const NO_CUSTOMERS_LESSON: &str = "Whoever pays through a payment link becomes a customer here, with what they said of themselves.";
pub(crate) const EDIT: &str = "Edit";
pub(crate) const EMPTY_STAYS: &str = "An empty field changes nothing";
pub(crate) const EMPTY_STAYS_WHY: &str =
    "Only what is filled in is applied. A value can be replaced, but not removed.";
pub(crate) const SUBSCRIPTIONS_OF_CUSTOMER: &str = "Subscriptions";
pub(crate) const INVOICES_OF_CUSTOMER: &str = "Invoices";
pub(crate) const SUBSCRIBE: &str = "Subscribe";

// --- Plans ---

pub(crate) const PLANS: &str = "Plans";
pub(crate) const PLANS_LEAD: &str = "What can be bought, once or again and again. Payment links and subscriptions are made from plans.";
pub(crate) const PLAN: &str = "Plan";
pub(crate) const PLAN_ID: &str = "Plan";
pub(crate) const BILLED: &str = "Billed";
pub(crate) const TRIAL: &str = "Trial";
pub(crate) const NO_TRIAL: &str = "None";
pub(crate) const SOURCE: &str = "Made by";
pub(crate) const CREATE_PLAN: &str = "Create plan";
pub(crate) const CREATE_PLAN_LEAD: &str = "A price, and how often it is asked for.";
pub(crate) const PLAN_MADE: &str = "The plan is ready";
pub(crate) const PLAN_MADE_WHY: &str = "Subscribe a customer to it; each period is then invoiced.";
pub(crate) const NO_PLANS: &str = "No plans yet";
pub(crate) const NO_PLANS_LESSON: &str = "A plan is a price with a rhythm. Each payment link brings one along; recurring ones can be subscribed to.";
pub(crate) const PLAN_REFERENCE_HINT: &str =
    "Your own name for this plan. The payer does not see it.";
pub(crate) const OPEN_PAYLINK: &str = "Its payment link";
pub(crate) const RHYTHM: &str = "How often it is paid";
pub(crate) const ONCE: &str = "Once";
pub(crate) const RECURRING: &str = "Again and again";
pub(crate) const INTERVAL: &str = "Every";
pub(crate) const INTERVAL_COUNT: &str = "How many of these";
pub(crate) const INTERVAL_COUNT_HINT: &str = "3 with Month is once in a quarter.";
pub(crate) const TRIAL_HINT: &str = "P14D is fourteen days, P2W two weeks, P1M a month.";

// --- Subscriptions ---

pub(crate) const SUBSCRIPTIONS: &str = "Subscriptions";
pub(crate) const SUBSCRIPTIONS_LEAD: &str =
    "Who buys a plan again and again, and whether they are behind.";
pub(crate) const SUBSCRIPTION: &str = "Subscription";
pub(crate) const SUBSCRIPTION_ID: &str = "Subscription";
pub(crate) const ITEMS: &str = "Items";
pub(crate) const STARTS: &str = "Start";
pub(crate) const ENDS_WITH_PERIOD: &str = "Ends with the period";
pub(crate) const PAYMENT_METHOD: &str = "Paid by";
pub(crate) const NO_SUBSCRIPTIONS: &str = "No subscriptions yet";
pub(crate) const NO_SUBSCRIPTIONS_LESSON: &str = "Subscribe a customer to a recurring plan. Each period then brings an invoice with a link to pay it.";
pub(crate) const CREATE_SUBSCRIPTION: &str = "Create subscription";
pub(crate) const CREATE_SUBSCRIPTION_LEAD: &str =
    "One customer, one or more recurring plans in the same currency and rhythm.";
pub(crate) const SUBSCRIPTION_MADE: &str = "The subscription is made";
pub(crate) const SUBSCRIPTION_MADE_WHY: &str = "Its invoices appear here as its periods begin.";
pub(crate) const SUBSCRIPTION_REFERENCE_HINT: &str = "Your own name for this subscription.";
pub(crate) const WHO_BUYS: &str = "Who buys";
pub(crate) const WHAT_IS_BOUGHT: &str = "What is bought";
pub(crate) const NOBODY_FOUND: &str = "No customer matches.";
pub(crate) const CHANGE: &str = "Choose another";
pub(crate) const NO_RECURRING: &str = "There is no recurring plan on sale. Create one first.";
pub(crate) const STARTS_HINT: &str = "Leave it empty to start now.";
pub(crate) const PAUSE: &str = "Pause";
pub(crate) const PAUSED: &str = "Subscription paused";
pub(crate) const RESUME: &str = "Resume";
pub(crate) const RESUMED: &str = "Subscription resumed";
pub(crate) const RESUME_ASK: &str = "Resume this subscription?";
pub(crate) const RESUME_WHY: &str = "A new period begins at once, and its invoice is issued.";
pub(crate) const PAUSE_ASK: &str = "Pause this subscription?";
pub(crate) const PAUSE_WHY: &str =
    "No further period begins until it is resumed. Invoices already issued stay due.";
pub(crate) const END_NOW: &str = "Cancel now";
pub(crate) const END_LATER: &str = "Cancel with the period";
pub(crate) const KEEP: &str = "Keep after all";
pub(crate) const KEPT: &str = "The subscription goes on";
pub(crate) const END_NOW_ASK: &str = "Cancel this subscription now?";
pub(crate) const END_NOW_WHY: &str =
    "It ends at once and cannot be taken up again. Invoices already issued stay due.";
pub(crate) const END_LATER_ASK: &str = "Cancel this subscription with its period?";
pub(crate) const END_LATER_WHY: &str =
    "It runs until the period is over and ends then. Until then this can be taken back.";
pub(crate) const SUBSCRIPTION_CANCELED: &str = "Subscription canceled";
pub(crate) const SUBSCRIPTION_ENDS: &str = "It ends with the period";
pub(crate) const NO_ITEMS: &str = "Nothing";

// --- Invoices ---

pub(crate) const INVOICES: &str = "Invoices";
pub(crate) const INVOICES_LEAD: &str = "What customers owe for the periods of their subscriptions, and what was done about what is late.";
pub(crate) const INVOICE: &str = "Invoice";
pub(crate) const INVOICE_ID: &str = "Invoice";
pub(crate) const PAYMENT_STATUS: &str = "Payment";
pub(crate) const DUNNING: &str = "Reminders";
pub(crate) const DOCUMENT_STATUS: &str = "Document";
pub(crate) const DUE: &str = "Due";
pub(crate) const ISSUED: &str = "Issued";
pub(crate) const NO_INVOICES: &str = "No invoices yet";
pub(crate) const NO_INVOICES_LESSON: &str =
    "Each period of a subscription brings one, with a link by which the customer pays it.";
pub(crate) const CREATE_INVOICE: &str = "Create invoice";
pub(crate) const DUE_HINT: &str =
    "Leave it empty for the end of the period that runs. There is one invoice for each due date.";
pub(crate) const TITLE: &str = "Title";
pub(crate) const TITLE_HINT: &str = "Leave it empty for the names of the plans.";
pub(crate) const INVOICE_MADE: &str = "The invoice is issued";
pub(crate) const INVOICE_THERE: &str = "There was an invoice for this date already";
pub(crate) const INVOICE_THERE_WHY: &str = "Nothing new was issued: this is the existing one.";
pub(crate) const OPEN_INVOICE: &str = "Open the invoice";
pub(crate) const PAY_PAGE: &str = "Payer’s page";
pub(crate) const OPEN_CUSTOMER: &str = "The customer";
pub(crate) const OPEN_SUBSCRIPTION: &str = "The subscription";
pub(crate) const EVENTS_OF_INVOICE: &str = "Events of this invoice";
pub(crate) const PRINT_VIEW: &str = "Print view";
pub(crate) const PRINT: &str = "Print";
pub(crate) const BACK_TO_INVOICE: &str = "Back to the invoice";
pub(crate) const BILLED_TO: &str = "Billed to";
pub(crate) const PAY_BY_LINK: &str = "Pay at";
pub(crate) const PAY_BY_LINK_WHY: &str =
    "Open the address or scan the code, and choose the currency and chain to pay with.";
pub(crate) const SUM_DUE: &str = "Amount due";
pub(crate) const PAID_IN_FULL: &str = "Paid. Thank you.";
pub(crate) const SHEET_NOT_NAMED: &str = "No invoice is named in the address.";

// --- Sentences with something in them ---

/// `every month`, `every 3 months`, `once`.
pub(crate) fn rhythm(interval: &str, count: Option<i64>) -> String {
    let unit = interval.to_lowercase();
    match (unit.as_str(), count.unwrap_or(1)) {
        ("unknown" | "", _) => ONCE.to_owned(),
        (unit, 1) => format!("Every {unit}"),
        (unit, count) => format!("Every {count} {unit}s"),
    }
}

/// `P14D` as `14 days`; anything else as it is.
pub(crate) fn period(iso: &str) -> String {
    let read = || {
        let rest = iso.strip_prefix('P')?;
        let count: u32 = rest.get(..rest.len().checked_sub(1)?)?.parse().ok()?;
        let unit = match rest.chars().last()? {
            'D' => "day",
            'W' => "week",
            'M' => "month",
            _ => return None,
        };
        Some(if count == 1 {
            format!("1 {unit}")
        } else {
            format!("{count} {unit}s")
        })
    };
    read().unwrap_or_else(|| iso.to_owned())
}

/// What one row of several plans says.
pub(crate) fn and_more(first: &str, more: usize) -> String {
    if more == 0 {
        first.to_owned()
    } else {
        format!("{first} and {more} more")
    }
}

pub(crate) fn dunning(word: &str) -> String {
    match word {
        "None" => "None needed".to_owned(),
        "GivenUp" => "Given up".to_owned(),
        other => words(other),
    }
}
