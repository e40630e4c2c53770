//! Texts of the shell and the pages, in the order of the navigation.

use settlekit_core::operation::Scope;
use settlekit_core::value::{AccountId, AccountReference};

use crate::text::language::{Language, chosen, filled, said};

// --- The product, and words of every page ---

texts! {
    product = "Settlekit";
    overview = "Overview";
    movements = "Movements";
    payments = "Payments";
    paylinks = "Payment links";
    events = "Events";
    settings = "Settings";
    interface = "API reference";
    main_nav = "Main";
    skip = "Skip to content";
    menu = "Menu";
    sign_out = "Sign out";
    sandbox = "Sandbox: no real money";
    live = "Live";
    stale = "Not current: no answer from the service";
    cancel = "Cancel";
    close = "Close";
    save = "Save";
    saved = "Saved";
    go_on = "Continue";
    try_again = "Try again";
    optional = "optional";
    unknown = "Unknown";
    not_available = "Not available";
    never = "Never";
    nowhere = "There is no such page";
    nowhere_lesson = "The address may be old or mistyped. Everything there is can be reached from the overview.";
    copy_blocked = "The browser does not allow copying here. Select the text to copy it.";
    theme = "Theme";
    theme_auto = "As the system";
    theme_light = "Light";
    theme_dark = "Dark";

    leave_ask = "Leave this page?";
    leave_why = "What you have written here has not been sent. It is lost when you go.";
    stay = "Stay";
    leave = "Leave";

    // --- Keys ---

    keys = "Keyboard";
    keys_off = "Turn off single-key shortcuts";

    // --- When a call fails ---

    not_sent = "Nothing was sent";
    no_connection = "The service could not be reached";
    no_connection_long = "No answer came. Check the connection; what was asked for may or may not have happened.";
    refused = "That was refused";
    went_wrong = "That went wrong";
    unreadable = "The answer cannot be read";
    unread = "Part of the address cannot be read";
    leave_out = "Take it out of the address";
    back_to_list = "Back to the list";

    // --- Signing in ---

    sign_in = "Sign in";
    sign_in_title = "Sign in to your organisation";
    sign_in_below = "Merchant dashboard";
    forgotten = "Forgot your password? An owner of your organisation can make a link for you; whoever runs this service can set a new one.";
    email = "E-mail";
    password = "Password";
    session_ended = "Your session has ended";
    session_ended_why = "Sign in again to go on where you were.";
    step_up = "Confirm that it is you";
    step_up_why = "This act is protected. Enter your password to go on.";

    // --- Lists ---

    filters = "Filters";
    any = "Any";
    from_day = "From";
    to_day = "To";
    order = "Sorted";
    newest_first = "Newest first";
    oldest_first = "Oldest first";
    pages = "Pages";
    rows = "Rows";
    previous = "Previous";
    next = "Next";
    no_match = "Nothing matches these filters";
    no_match_lesson = "Widen the days or clear a filter. Nothing is hidden otherwise.";
    skip_rows = "Skip the rows";
    past_the_end = "There is no such page any more";
    past_the_end_lesson = "The list is shorter than that. What it holds begins on its first page.";
    first_page = "First page";

    // --- Words of records ---

    amount = "Amount";
    status = "Status";
    type_ = "Type";
    when = "When";
    chain = "Chain";
    currency = "Currency";
    account = "Account";
    cause = "Cause";
    fee = "Fee";
    from = "From";
    to = "To";
    transaction = "Transaction";
    recorded = "Recorded";
    created = "Created";
    confirmed = "Confirmed";
    deleted = "Deleted";
    expires = "Expires";
    reference = "Reference";
    description = "Description";
    customer = "Customer";
    internal = "Internal";
    way_in = ", incoming";
    way_out = ", outgoing";
    processing = "processing";
    failed = "failed";
    in_dollars = "In US dollars";
    actions = "Actions";

    // --- Overview ---

    attention = "What needs attention";
    payments_processing = "Payments processing";
    movements_pending = "Movements pending";
    deliveries_failed = "Deliveries failed";
    paylinks_active = "Active payment links";
    movements_failed = "Movements failed, 30 days";
    net_of_page = "The confirmed shown here come to";
    fullest = "Where it is";
    all_accounts = "All accounts";
    quotes_open = "Quotes to answer";
    first_until = "the first until";
    volume = "Volume";
    total = "Total balance";
    in_30 = "In, 30 days";
    out_30 = "Out, 30 days";
    balances = "Balances";
    posted = "Posted";
    reserved = "Reserved";
    available = "Available";
    no_balances = "No balances yet";
    no_balances_lesson = "Balances appear here with the first payment. A payment link is the quickest way to get one.";
    latest_events = "Latest events";
    all_events = "All events";
    chart_label = "Confirmed volume by day of UTC, in US dollars. Left and right arrows read one day after the other.";
    chart_hint = "Point at a day (UTC), or use the arrow keys";
    as_table = "Show as a table";
    day = "Day (UTC)";
    in_usd = "In (USD)";
    out_usd = "Out (USD)";

    // --- Movements ---

    direction = "Direction";
    among_page = "Type, status and direction choose among the rows of this page. The pages and their total are of the whole list; an exported file has every row that is chosen.";

    movements_lead = "Every entry of the ledger: of all accounts, or of one and the accounts below it, exact to the last digit.";
    movement_id = "Movement";
    no_movements = "No movements yet";
    no_movements_lesson = "Each deposit, withdrawal, transfer and fee becomes one line here. The first arrives with the first payment.";
    open_payment = "Open the payment";

    // --- Payments ---

    payments_lead = "What payers were asked for, what arrived, and where each payment stands.";
    payment = "Payment";
    for_ = "For";
    no_link = "Without a link";
    paid = "Arrived";
    to_account = "To account";
    deposit_address = "Deposit address";
    confirmations = "Confirmations";
    timeline = "Timeline";
    customer_number = "Customer number";
    shipping_address = "Shipping address";
    tax_number = "Tax number";
    events_of_payment = "Events of this payment";
    no_payments = "No payments yet";
    no_payments_lesson = "Make a payment link and send it to a customer. Their payment appears here the moment they choose how to pay.";
    cancel_payment = "Cancel payment";
    cancel_payment_ask = "Cancel this payment?";
    cancel_payment_why = "The payer’s page closes, and money sent to its address afterwards will not be matched. This cannot be undone.";
    payment_canceled = "Payment canceled";

    // --- Payment links ---

    paylinks_lead = "Pages where your customers pay, each with its own address.";
    paylink = "Payment link";
    paylink_id = "Payment link";
    paylink_name = "Name";
    paylink_name_hint = "What is sold. The payer sees it.";
    price = "Price";
    picture = "Picture";
    left = "Left";
    held = "In unpaid checkouts";
    unlimited = "Unlimited";
    address_of_link = "Payer’s page";
    open_page = "Open page";
    what_is_sold = "What is sold";
    after_payment = "After the payment";
    after_payment_why = "Where the payer goes next, or what they read.";
    redirect = "Send the payer to";
    failure_redirect = "After a failure, send them to";
    message = "Message";
    message_hint = "Shown on the payer’s page after a payment.";
    limits = "Limits and questions";
    quantity = "How many may be sold";
    reference_hint = "Your own name for this link. The payer does not see it.";
    ask_payer = "Ask the payer for";
    ask_who = "a customer number";
    ask_where = "a shipping address";
    ask_tax = "a tax number";
    preview = "What the payer sees";
    create_paylink = "Create payment link";
    create_paylink_lead = "Name it, price it, send it. Everything else is optional.";
    paylink_made = "The payment link is ready";
    paylink_made_why = "Send its address to your customer. Payments made with it appear under Payments.";
    no_paylinks = "No payment links yet";
    no_paylinks_lesson = "A payment link is a page with a price. Make one, send its address to a customer, and watch the payment arrive.";
    delete_paylink = "Delete payment link";
    delete_paylink_ask = "Delete this payment link?";
    delete_paylink_why = "Its page stops taking payments at once. Payments already made stay where they are. This cannot be undone.";
    paylink_deleted = "Payment link deleted";

    // --- Events ---

    events_lead = "What happened in your organisation, and whether your server was told.";
    event = "Event";
    event_id = "Event";
    action = "Action";
    delivery = "Delivery";
    answer = "Answer";
    about = "About";
    number = "No.";
    attempts = "Delivery attempts";
    no_attempts = "Nothing has been sent yet.";
    retry = "Deliver again";
    retry_sent = "Delivering again";
    record = "Record";
    request = "Request";
    response = "Response";
    no_response = "No response body.";
    tree = "Tree";
    raw = "Raw";
    no_events = "No events yet";
    no_events_lesson = "Every change is recorded here and sent to your webhook endpoint.";
    set_endpoint = "Set the webhook endpoint";

    // --- Settings ---

    organisation = "Organisation";
    organisation_id = "Organisation";
    partner = "Partner";
    profile = "Profile";
    organisation_name = "Name";
    organisation_name_hint = "Payers see it on every payment page.";
    logo = "Logo";
    fee_payer = "Who pays the fees";
    fee_payer_hint = "With the payer, prices on their page are raised by what the service takes.";
    fee_merchant = "The organisation";
    fee_customer = "The payer";
    tolerance = "Accepted shortfall, in US dollars";
    tolerance_hint = "A payment short by no more than this counts as paid.";
    webhooks = "Webhooks";
    endpoint = "Endpoint";
    endpoint_why = "Every event is sent here as a signed POST. Failed deliveries are repeated for three days and can be repeated by hand.";
    endpoint_address = "Endpoint address";
    endpoint_hint = "Leave it empty to send nothing.";
    public_key = "Public key";
    public_key_why = "Your server checks the signature of each webhook with this key (Standard Webhooks, Ed25519).";
    no_public_key = "The key appears once an endpoint is set.";
    rotate = "Rotate key";
    rotate_ask = "Rotate the webhook key?";
    rotate_why = "A new key signs from now on. For 24 hours the old key signs too, so that you can put the new one in place.";
    key_rotated = "Key rotated";
    api_key = "API key";
    api_keys = "API keys";
    api_keys_why = "Your server proves with a key that it may act for this organisation. One key for each server makes it easy to replace one.";
    key_name = "Name";
    key_name_hint = "Where the key will be used.";
    scopes = "Allowed";
    create_key = "Create key";
    key_once = "Copy the key now";
    key_once_why = "It is shown this once and cannot be recovered. Keep it like a password.";
    key_stored = "I have stored it";
    last_used = "Last used";
    revoke = "Revoke";
    revoke_why = "Requests with this key are refused from now on. This cannot be undone.";
    key_revoked = "Key revoked";
    no_keys = "No API keys yet";
    no_keys_lesson = "Create a key for the server that talks to Settlekit. Its secret is shown once.";
    signing_secret = "Signing secret";
    signing_secret_why = "Payouts, pay-in addresses and partner requests carry a signature made with this secret (HMAC-SHA256).";
    hidden = "Hidden";
    reveal = "Reveal";
    hide = "Hide";
    hides_itself = "It is hidden again after a minute.";
}

/// Keys with their descriptions.
pub(crate) fn key_list() -> [(&'static str, &'static str); 10] {
    [
        (
            "Ctrl K",
            said("Find a page, an act or a record; ⌘ K does the same"),
        ),
        ("/", said("Go to the filters")),
        ("j", said("Next row; the down arrow does the same")),
        ("k", said("Previous row; the up arrow does the same")),
        ("Enter", said("Open the row")),
        ("x", said("Pick the row, where rows can be picked")),
        ("[ ]", said("The record before, the record after")),
        ("n p", said("The next page, the page before")),
        ("Esc", said("Close what is open")),
        ("?", said("This help")),
    ]
}

// --- Sentences with something in them ---

pub(crate) fn title(page: &str) -> String {
    format!("{page} · {}", product())
}

/// Error about an invalid line of `name: value`.
pub(crate) fn no_colon(line: usize) -> String {
    say!("needs a colon in line {line}", line)
}

pub(crate) fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => said("Read: look at everything"),
        Scope::Write => said("Write: make links, payments and customers"),
        Scope::Payout => said("Payout: send money out"),
        Scope::Manage => said("Manage: change keys, secrets and settings"),
    }
}

pub(crate) fn copy_of(what: &str) -> String {
    let what = lower(what);
    say!("Copy {what}", what)
}

pub(crate) fn copied(what: &str) -> String {
    say!("{what} copied", what)
}

fn lower(what: &str) -> String {
    // German nouns keep their capitals.
    if what.starts_with("API") || chosen() == Language::German {
        what.to_owned()
    } else {
        what.to_lowercase()
    }
}

pub(crate) fn request_of(id: &str) -> String {
    say!("Request {id}", id)
}

pub(crate) fn unreadable_of(status: u16) -> String {
    say!(
        "The service answered with status {status} and something this page does not understand. Try again in a moment.",
        status
    )
}

pub(crate) fn range_of(first: &str, last: &str, total: &str) -> String {
    say!("{first}–{last} of {total}", first, last, total)
}

pub(crate) fn none_here(total: &str) -> String {
    say!("Past the end: {total} in all", total)
}

pub(crate) fn clear_filters(count: usize) -> String {
    if count == 1 {
        said("Clear filter").to_owned()
    } else {
        say!("Clear {count} filters", count)
    }
}

pub(crate) fn account_of(id: i64) -> String {
    say!("Account {id}", id)
}

/// Label of an account: its name, else its reference, else its id.
pub(crate) fn account_called(
    name: Option<&String>,
    reference: Option<&AccountReference>,
    id: AccountId,
) -> String {
    let reference = || reference.map(ToString::to_string);
    name.cloned()
        .or_else(reference)
        .unwrap_or_else(|| account_of(id.get()))
}

pub(crate) fn bundle_of(reference: &str) -> String {
    say!("{reference} · its accounts together", reference)
}

pub(crate) fn movement_of(id: &str) -> String {
    say!("Movement {id}", id)
}

pub(crate) fn movements_of(count: &str) -> String {
    if count == "1" {
        said("1 movement").to_owned()
    } else {
        say!("{count} movements", count)
    }
}

pub(crate) fn fields_of(count: usize) -> String {
    format!("{{{count}}}")
}

pub(crate) fn items_of(count: usize) -> String {
    format!("[{count}]")
}

pub(crate) fn http_of(status: u16) -> String {
    say!("HTTP {status}", status)
}

pub(crate) fn milliseconds(count: u32) -> String {
    say!("{count} ms", count)
}

pub(crate) fn revoke_of(name: &str) -> String {
    say!("Revoke the key “{name}”?", name)
}
