//! Customers, plans, subscriptions and invoices.

use crate::text::language::{filled, said};
use crate::text::words::words;

// --- Customers ---

texts! {
    customers = "Customers";
    customers_lead = "Who has paid you, how often, and when last. They come into being with their first payment.";
    customer_id = "Customer";
    name = "Name";
    search = "Search";
    search_customers = "Name, e-mail, reference";
    visits = "Visits";
    payments_count = "Payments";
    last_payment = "Last payment";
    guest = "Guest";
    phone = "Phone";
    wallet = "Wallet";
    discord = "Discord";
    twitter = "Twitter";
    customer_reference_hint = "Your own name for this customer.";
    phone_hint = "With the country in front: +49 30 123456.";
    no_customers = "No customers yet";
    no_customers_lesson = "Whoever pays through a payment link becomes a customer here, with what they said of themselves.";
    edit = "Edit";
    empty_stays = "An empty field changes nothing";
    only_changed = "can be replaced, but not removed";
    empty_stays_why = "Only what is filled in is applied. A value can be replaced, but not removed.";
    payments_of_customer = "Payments";
    subscriptions_of_customer = "Subscriptions";
    invoices_of_customer = "Invoices";
    subscribe = "Subscribe";

    // --- Plans ---

    plans = "Plans";
    plans_lead = "What can be bought, once or again and again. Payment links and subscriptions are made from plans.";
    plan = "Plan";
    plan_id = "Plan";
    billed = "Billed";
    trial = "Trial";
    no_trial = "None";
    source = "Made by";
    create_plan = "Create plan";
    create_plan_lead = "A price, and how often it is asked for.";
    plan_made = "The plan is ready";
    plan_made_why = "Subscribe a customer to it; each period is then invoiced.";
    no_plans = "No plans yet";
    no_plans_lesson = "A plan is a price with a rhythm. Each payment link brings one along; recurring ones can be subscribed to.";
    plan_reference_hint = "Your own name for this plan. The payer does not see it.";
    open_paylink = "Its payment link";
    payments_of_link = "Its payments";
    rhythm_word = "How often it is paid";
    once = "Once";
    recurring = "Again and again";
    interval = "Every";
    interval_count = "How many of these";
    interval_count_hint = "3 with Month is once in a quarter.";
    trial_unit = "Counted in";
    in_days = "Days";
    in_weeks = "Weeks";
    in_months = "Months";

    // --- Subscriptions ---

    subscriptions = "Subscriptions";
    subscriptions_lead = "Who buys a plan again and again, and whether they are behind.";
    subscription = "Subscription";
    subscription_id = "Subscription";
    items = "Items";
    starts = "Start";
    ends_with_period = "Ends with the period";
    payment_method = "Paid by";
    no_subscriptions = "No subscriptions yet";
    no_subscriptions_lesson = "Subscribe a customer to a recurring plan. Each period then brings an invoice with a link to pay it.";
    create_subscription = "Create subscription";
    create_subscription_lead = "One customer, one or more recurring plans in the same currency and rhythm.";
    subscription_made = "The subscription is made";
    subscription_made_why = "Its invoices appear here as its periods begin.";
    subscription_reference_hint = "Your own name for this subscription.";
    who_buys = "Who buys";
    what_is_bought = "What is bought";
    nobody_found = "No customer matches.";
    change = "Choose another";
    no_recurring = "There is no recurring plan on sale. Create one first.";
    starts_hint = "Leave it empty to start now.";
    pause = "Pause";
    paused = "Subscription paused";
    resume = "Resume";
    resumed = "Subscription resumed";
    resume_ask = "Resume this subscription?";
    resume_why = "A new period begins at once, and its invoice is issued.";
    pause_ask = "Pause this subscription?";
    pause_why = "No further period begins until it is resumed. Invoices already issued stay due.";
    end_now = "Cancel now";
    end_later = "Cancel with the period";
    keep = "Keep after all";
    kept = "The subscription goes on";
    end_now_ask = "Cancel this subscription now?";
    end_now_why = "It ends at once and cannot be taken up again. Invoices already issued stay due.";
    end_later_ask = "Cancel this subscription with its period?";
    end_later_why = "It runs until the period is over and ends then. Until then this can be taken back.";
    subscription_canceled = "Subscription canceled";
    subscription_ends = "It ends with the period";
    no_items = "Nothing";

    // --- Invoices ---

    invoices = "Invoices";
    invoices_lead = "What customers owe for the periods of their subscriptions, and what was done about what is late.";
    invoice = "Invoice";
    invoice_id = "Invoice";
    payment_status = "Payment";
    dunning_word = "Reminders";
    document_status = "Document";
    due = "Due";
    issued = "Issued";
    no_invoices = "No invoices yet";
    no_invoices_lesson = "Each period of a subscription brings one, with a link by which the customer pays it.";
    create_invoice = "Create invoice";
    due_hint = "Leave it empty for the end of the period that runs. There is one invoice for each due date.";
    title_word = "Title";
    title_hint = "Leave it empty for the names of the plans.";
    invoice_made = "The invoice is issued";
    invoice_there = "There was an invoice for this date already";
    invoice_there_why = "Nothing new was issued: this is the existing one.";
    open_invoice = "Open the invoice";
    pay_page = "Payer’s page";
    open_customer = "The customer";
    open_subscription = "The subscription";
    events_of_invoice = "Events of this invoice";
    print_view = "Print view";
    print = "Print";
    back_to_invoice = "Back to the invoice";
    billed_to = "Billed to";
    pay_by_link = "Pay at";
    pay_by_link_why = "Open the address or scan the code, and choose the currency and chain to pay with.";
    sum_due = "Amount due";
    paid_in_full = "Paid. Thank you.";
    sheet_not_named = "No invoice is named in the address.";
}

// --- Sentences with something in them ---

/// `Every month`, `Every 3 months`, `Once`.
pub(crate) fn rhythm(interval: &str, count: Option<i64>) -> String {
    let count = count.unwrap_or(1);
    match (interval, count) {
        ("Day", 1) => said("Every day").to_owned(),
        ("Day", _) => say!("Every {count} days", count),
        ("Week", 1) => said("Every week").to_owned(),
        ("Week", _) => say!("Every {count} weeks", count),
        ("Month", 1) => said("Every month").to_owned(),
        ("Month", _) => say!("Every {count} months", count),
        ("Quarter", 1) => said("Every quarter").to_owned(),
        ("Quarter", _) => say!("Every {count} quarters", count),
        ("Year", 1) => said("Every year").to_owned(),
        ("Year", _) => say!("Every {count} years", count),
        ("Unknown" | "", _) => once().to_owned(),
        (other, _) => words(other),
    }
}

/// `P14D` as `14 days`; other texts unchanged.
pub(crate) fn period(iso: &str) -> String {
    let read = || {
        let rest = iso.strip_prefix('P')?;
        let count: u32 = rest.get(..rest.len().checked_sub(1)?)?.parse().ok()?;
        Some(match (rest.chars().last()?, count) {
            ('D', 1) => said("1 day").to_owned(),
            ('D', _) => say!("{count} days", count),
            ('W', 1) => said("1 week").to_owned(),
            ('W', _) => say!("{count} weeks", count),
            ('M', 1) => said("1 month").to_owned(),
            ('M', _) => say!("{count} months", count),
            _ => return None,
        })
    };
    read().unwrap_or_else(|| iso.to_owned())
}

/// Summary of several plans in one row.
pub(crate) fn and_more(first: &str, more: usize) -> String {
    if more == 0 {
        first.to_owned()
    } else {
        say!("{first} and {more} more", first, more)
    }
}

pub(crate) fn dunning(word: &str) -> String {
    match word {
        "None" => said("None needed").to_owned(),
        "GivenUp" => said("Given up").to_owned(),
        other => words(other),
    }
}
