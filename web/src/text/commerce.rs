//! Customers, plans, subscriptions and invoices.

use crate::text::language::{filled, translate};
use crate::text::words::words;

// --- Customers ---

texts! {
    customers = "Customers";
    customers_lead = "Everyone who has paid you. A customer is created with the first payment.";
    name = "Name";
    search = "Search";
    search_customers = "Name, email, reference";
    visits = "Customer type";
    last_payment = "Last payment";
    spent = "Spent";
    guest = "Guest";
    phone = "Phone";
    wallet = "Wallet";
    discord = "Discord";
    twitter = "Twitter";
    phone_hint = "With country code: +49 30 123456.";
    no_customers = "No customers yet";
    no_customers_hint = "Everyone who pays through a payment link appears here, with the details they entered.";
    edit = "Edit";
    empty_stays = "Empty fields stay unchanged";
    only_changed = "can be replaced, but not removed";
    empty_stays_why = "Only filled fields change. A value can be replaced, but not removed.";
    subscribe = "Subscribe";

    // --- Plans ---

    plans = "Plans";
    plans_lead = "One-time and recurring prices. Payment links and subscriptions are based on plans.";
    plan = "Plan";
    billed = "Billing";
    trial = "Trial";
    no_trial = "None";
    source = "Created by";
    create_plan = "Create plan";
    create_plan_lead = "A price and how often it is billed.";
    plan_made = "Plan created";
    plan_made_why = "Subscribe a customer to invoice each period.";
    no_plans = "No plans yet";
    no_plans_hint = "A plan is a price with a billing interval. Each payment link creates one; customers can subscribe to recurring ones.";
    open_paylink = "View payment link";
    once = "Once";
    recurring = "Recurring";
    interval = "Interval";
    interval_count = "Every";
    interval_count_hint = "3 and Month: quarterly.";
    trial_unit = "Trial unit";
    in_days = "Days";
    in_weeks = "Weeks";
    in_months = "Months";

    // --- Subscriptions ---

    subscriptions = "Subscriptions";
    subscriptions_lead = "Customers on recurring plans, and whether they are behind.";
    subscription = "Subscription";
    items = "Items";
    starts = "Start";
    ends = "Ends";
    next_invoice = "Next invoice";
    trial_ends = "Trial ends";
    ends_with_period = "Cancels at period end";
    payment_method = "Payment method";
    no_subscriptions = "No subscriptions yet";
    no_subscriptions_hint = "Subscribe a customer to a recurring plan. Each period creates an invoice with a payment link.";
    create_subscription = "Create subscription";
    create_subscription_lead = "One customer, one or more recurring plans with the same currency and interval.";
    subscription_made = "Subscription created";
    subscription_made_why = "Invoices appear here as each period begins.";
    nobody_found = "No matching customers.";
    change = "Change";
    no_recurring = "No recurring plan on sale. Create one first.";
    starts_hint = "Leave empty to start now.";
    pause = "Pause";
    paused = "Subscription paused";
    resume = "Resume";
    resumed = "Subscription resumed";
    resume_ask = "Resume this subscription?";
    resume_why = "A new period begins now and is invoiced.";
    pause_ask = "Pause this subscription?";
    pause_why = "No new period begins until you resume it. Issued invoices stay due.";
    end_now = "Cancel now";
    end_later = "Cancel at period end";
    keep = "Keep subscription";
    kept = "Subscription continues";
    end_now_ask = "Cancel this subscription now?";
    end_now_why = "It ends now and can’t be resumed. Issued invoices stay due.";
    end_later_ask = "Cancel this subscription at period end?";
    end_later_why = "It runs until the period ends. You can undo this until then.";
    subscription_canceled = "Subscription canceled";
    no_items = "No items";

    // --- Invoices ---

    invoices = "Invoices";
    invoices_lead = "What customers owe for their subscriptions, and reminders for late payments.";
    invoice = "Invoice";
    payment_status = "Payment";
    dunning_word = "Reminders";
    document_status = "Invoice status";
    due = "Due";
    issued = "Issued";
    no_invoices = "No invoices yet";
    no_invoices_hint = "Each subscription period creates an invoice with a payment link.";
    create_invoice = "Create invoice";
    due_hint = "Leave empty for the end of the current period. One invoice per due date.";
    title_word = "Title";
    title_hint = "Leave empty to use the plan names.";
    invoice_made = "Invoice issued";
    invoice_there = "An invoice for this date already exists";
    invoice_there_why = "No new invoice was issued. This is the existing one.";
    open_invoice = "View invoice";
    pay_page = "Payment page";
    open_customer = "View customer";
    open_subscription = "View subscription";
    print_view = "Print view";
    print = "Print";
    back_to_invoice = "Back to invoice";
    billed_to = "Bill to";
    pay_by_link = "Pay at";
    pay_by_link_why = "Open the link or scan the code, then choose a currency and chain.";
    sum_due = "Amount due";
    paid_in_full = "Paid. Thank you.";
    sheet_not_named = "No invoice selected.";
}

// --- Sentences with something in them ---

/// `Every month`, `Every 3 months`, `Once`.
pub(crate) fn billing_interval_text(interval: &str, count: Option<i64>) -> String {
    let count = count.unwrap_or(1);
    match (interval, count) {
        ("Day", 1) => translate("Every day").to_owned(),
        ("Day", _) => say!("Every {count} days", count),
        ("Week", 1) => translate("Every week").to_owned(),
        ("Week", _) => say!("Every {count} weeks", count),
        ("Month", 1) => translate("Every month").to_owned(),
        ("Month", _) => say!("Every {count} months", count),
        ("Quarter", 1) => translate("Every quarter").to_owned(),
        ("Quarter", _) => say!("Every {count} quarters", count),
        ("Year", 1) => translate("Every year").to_owned(),
        ("Year", _) => say!("Every {count} years", count),
        ("Unknown" | "", _) => once().to_owned(),
        (other, _) => words(other),
    }
}

/// Unit and count of a period: 14 of `D` for `P14D`.
fn unit_and_count(iso: &str) -> Option<(char, u32)> {
    let rest = iso.strip_prefix('P')?;
    let count: u32 = rest.get(..rest.len().checked_sub(1)?)?.parse().ok()?;
    Some((rest.chars().last()?, count))
}

/// `P14D` as `14 days`; other texts unchanged.
pub(crate) fn period(iso: &str) -> String {
    match unit_and_count(iso) {
        Some(('D', 1)) => translate("1 day").to_owned(),
        Some(('D', count)) => say!("{count} days", count),
        Some(('W', 1)) => translate("1 week").to_owned(),
        Some(('W', count)) => say!("{count} weeks", count),
        Some(('M', 1)) => translate("1 month").to_owned(),
        Some(('M', count)) => say!("{count} months", count),
        _ => iso.to_owned(),
    }
}

/// `Every month, the first 14 days free`, from the trial `P14D`.
pub(crate) fn interval_and_trial(interval: &str, trial: &str) -> String {
    let free = match unit_and_count(trial) {
        Some(('D', 1)) => translate("the first day free").to_owned(),
        Some(('D', count)) => say!("the first {count} days free", count),
        Some(('W', 1)) => translate("the first week free").to_owned(),
        Some(('W', count)) => say!("the first {count} weeks free", count),
        Some(('M', 1)) => translate("the first month free").to_owned(),
        Some(('M', count)) => say!("the first {count} months free", count),
        _ => return interval.to_owned(),
    };
    format!("{interval}, {free}")
}

/// Summary of several plans in one row.
pub(crate) fn and_more(first: &str, more: usize) -> String {
    if more == 0 {
        first.to_owned()
    } else {
        say!("{first} and {more} more", first, more)
    }
}

/// Status of a subscription: customers cancel it, payments are reversed.
pub(crate) fn subscription_status(word: &str) -> String {
    match word {
        "Canceled" => translate("Canceled|subscription").to_owned(),
        other => words(other),
    }
}

pub(crate) fn dunning(word: &str) -> String {
    match word {
        "None" => translate("None needed").to_owned(),
        "GivenUp" => translate("Given up").to_owned(),
        other => words(other),
    }
}
