//! Texts of the shell and the pages, in the order of the navigation.

use settlekit_core::account::MovementFailure;
use settlekit_core::operation::Scope;
use settlekit_core::value::{AccountId, AccountReference};

use crate::text::language::{chosen, filled, translate};
use crate::text::words::words;

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
    money_group = "Money";
    developers = "Developers";
    breadcrumbs = "Breadcrumbs";
    skip = "Skip to content";
    menu = "Menu";
    sign_out = "Sign out";
    sandbox = "Sandbox: no real money";
    live = "Live";
    stale = "Connection lost. Reconnecting…";
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
    nowhere = "Page not found";
    nowhere_hint = "The address may be old or mistyped. Start from the overview.";
    copy_blocked = "Your browser blocked copying. Select the text to copy it.";
    theme = "Theme";
    theme_auto = "System";
    theme_light = "Light";
    theme_dark = "Dark";

    leave_ask = "Leave this page?";
    leave_why = "Your changes here will be lost.";
    stay = "Stay";
    leave = "Leave";

    // --- Keys ---

    keys = "Keyboard shortcuts";
    keys_off = "Turn off single-key shortcuts";

    // --- When a call fails ---

    not_sent = "Nothing was sent";
    no_connection = "Can’t reach the service";
    no_connection_long = "Check your connection. A change you were making may not have been saved.";
    not_found = "Not found";
    refused = "Request declined";
    went_wrong = "Something went wrong";
    unreadable = "Unexpected response";
    unread = "This link has an invalid filter";
    leave_out = "Remove filter";
    back_to_list = "Back to list";

    // --- Signing in ---

    sign_in = "Sign in";
    sign_in_title = "Sign in to your organisation";
    sign_in_below = "Merchant dashboard";
    forgotten = "Forgot your password? Ask an owner of your organisation for a link, or the operator for a new one.";
    email = "Email";
    password = "Password";
    session_ended = "Your session has ended";
    session_ended_why = "Sign in again to continue.";
    step_up = "Confirm it’s you";
    step_up_why = "Enter your password to continue.";

    // --- Lists ---

    filters = "Filters";
    add_filter = "Add filter";
    filter_done = "Done";
    any = "Any";
    from_day = "From|date";
    to_day = "To";
    order = "Sort";
    newest_first = "Newest first";
    oldest_first = "Oldest first";
    pages = "Pages";
    rows = "Rows per page";
    previous = "Previous";
    next = "Next";
    no_match = "No results for these filters";
    no_match_hint = "Widen the dates or clear a filter.";
    skip_rows = "Skip rows";
    past_the_end = "This page no longer exists";
    past_the_end_hint = "The list got shorter. Go to its first page.";
    first_page = "First page";

    // --- Words of records ---

    amount = "Amount";
    status = "Status";
    type_ = "Type";
    when = "Date";
    chain = "Chain";
    currency = "Currency";
    account = "Account";
    cause = "Source";
    fee = "Fee";
    from = "From";
    to = "To|recipient";
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
    awaiting_approval = "awaiting approval";
    failed = "failed";
    in_dollars = "In US dollars";
    actions = "Actions";

    // --- Overview ---

    attention = "Needs attention";
    payments_processing = "Payments processing";
    movements_pending = "Pending movements";
    deliveries_failed = "Failed deliveries";
    paylinks_active = "Active payment links";
    movements_failed = "Failed movements, 30 days";
    net_of_page = "Confirmed total on this page";
    fullest = "Largest balances";
    all_accounts = "All accounts";
    quotes_open = "Open quotes";
    all_clear = "Nothing needs attention";
    see_progress = "See progress";
    see_why = "See why";
    accept_or_reject = "Accept or reject";
    first_until = "first expires";
    total = "Total available";
    balance = "Balance";
    balances = "Balances";
    posted = "Posted";
    reserved = "Reserved";
    available = "Available";
    no_balances = "No balances yet";
    no_balances_hint = "Balances appear with your first payment. A payment link is the quickest way to get one.";
    recent_payments = "Recent payments";
    all_payments = "All payments";
    chart_label = "Confirmed volume per day (UTC), in US dollars. Use the left and right arrow keys to read each day.";
    as_table = "Show as table";
    day = "Day (UTC)";
    in_usd = "In (USD)";
    out_usd = "Out (USD)";

    // --- First steps ---

    first_steps = "Get started";
    first_steps_why = "Four steps to your first payment.";
    step_done = "Done";
    step_account = "Create an account";
    step_account_why = "Where payments arrive: a wallet that is managed for you, or your own.";
    step_link = "Create a payment link";
    step_link_why = "A page with a price, to send to a customer.";
    step_server = "Connect your server";
    step_server_why = "Optional. Your endpoint receives a webhook for each payment.";
    step_payment = "Receive your first payment";
    step_payment_why = "Send your payment link to a customer. The payment appears here.";
    step_payment_sandbox = "Open the page of your payment link, and pay from the test wallet.";

    // --- Movements ---

    direction = "Direction";
    search_movements = "Complete hash, address, ID or reference";
    at_least = "At least";
    at_most = "At most";
    amount_needs_currency = "Choose a currency first";
    movements_lead = "Every ledger entry, of all accounts or of one account and its sub-accounts.";
    movement_id = "Movement";
    no_movements = "No movements yet";
    no_movements_hint = "Every deposit, withdrawal, transfer and fee appears here, starting with your first payment.";
    open_payment = "View payment";
    failed_unbooked = "This movement has no effect on the account’s balance.";

    // --- Payments ---

    payments_lead = "Payments from your customers, and their status.";
    payments_and_payouts = "Payments and payouts";
    payments_and_payouts_lead = "Payments from your customers, and what you sent: payouts and refunds.";
    search_payments = "Customer, link, reference, hash";
    payment = "Payment";
    no_link = "Direct payment";
    paid = "Received";
    to_account = "To account";
    deposit_address = "Deposit address";
    confirmations = "Confirmations";
    block = "Block";
    in_block_number(block: &str) = "Block {block}";
    confirmations_of(seen: u32, needed: u32) = "{seen} of {needed}";
    view_in_explorer = "View in block explorer";
    test_money = "Test money";
    timeline = "Timeline";
    customer_number = "Customer number";
    shipping_address = "Shipping address";
    tax_number = "Tax number";
    view_events = "View events";
    no_payments = "No payments yet";
    no_payments_hint = "Create a payment link and send it to a customer. Their payment appears here once they choose how to pay.";
    cancel_payment = "Cancel payment";
    cancel_payment_ask = "Cancel this payment?";
    cancel_payment_why = "The payment page closes, and money sent to its address later won’t be matched. This can’t be undone.";
    payment_canceled = "Payment canceled";

    // --- Payment links ---

    paylinks_lead = "Payment pages to share with your customers.";
    paylink = "Payment link";
    paylink_name_hint = "Shown to the payer.";
    price = "Price";
    picture = "Picture";
    left = "Remaining";
    held = "In unpaid checkouts";
    unlimited = "Unlimited";
    open_page = "Open page";
    what_is_sold = "Product";
    after_payment = "After payment";
    after_payment_why = "Where the payer goes next, or what they see.";
    redirect = "Success URL";
    failure_redirect = "Failure URL";
    message = "Message";
    message_hint = "Shown on the payment page after payment.";
    limits = "Limits and questions";
    quantity = "Quantity limit";
    reference_hint = "For your records. Payers don’t see it.";
    ask_payer = "Ask the payer for";
    ask_who = "a customer number";
    ask_where = "a shipping address";
    ask_tax = "a tax number";
    preview = "Preview";
    create_paylink = "Create payment link";
    create_paylink_lead = "Name it, price it, send it. The rest is optional.";
    paylink_made = "Payment link created";
    paylink_made_why = "Send it to your customer. Its payments appear under Payments.";
    no_paylinks = "No payment links yet";
    no_paylinks_hint = "A payment link is a page with a price. Create one, send it to a customer and watch the payment arrive.";
    delete_paylink = "Delete payment link";
    delete_paylink_ask = "Delete this payment link?";
    delete_paylink_why = "Its page stops accepting payments. Existing payments stay. This can’t be undone.";
    paylink_deleted = "Payment link deleted";

    // --- Events ---

    events_lead = "What happened in your organisation, and its webhook deliveries.";
    event = "Event";
    action = "Action";
    delivery = "Delivery";
    about = "Related object";
    number = "No.";
    attempts = "Delivery attempts";
    no_attempts = "Nothing has been sent yet.";
    next_attempt = "Next attempt";
    attempt_due = "due now";
    retry = "Resend";
    retry_sent = "Resending";
    record = "Event data";
    request = "Request";
    response = "Response";
    no_response = "No response body.";
    tree = "Tree";
    raw = "Raw";
    no_events = "No events yet";
    no_events_hint = "Every change is recorded here and sent to your webhook endpoint.";
    set_endpoint = "Set a webhook endpoint";

    // --- Settings ---

    organisation = "Organisation";
    partner = "Partner";
    profile = "Profile";
    organisation_name_hint = "Shown on every payment page.";
    logo = "Logo";
    fee_payer = "Who pays the fees";
    fee_payer_hint = "If the payer does, fees are added to the prices they see.";
    fee_merchant = "The organisation";
    fee_customer = "The payer";
    tolerance = "Tolerance in US dollars";
    tolerance_hint = "Payments short by no more than this count as paid.";
    webhooks = "Webhooks";
    endpoint = "Endpoint";
    endpoint_why = "Every event is sent here as a signed POST. Failed deliveries are retried for three days; you can also resend them.";
    endpoint_address = "Endpoint URL";
    endpoint_hint = "Leave empty to send nothing.";
    public_key = "Public key";
    public_key_why = "Your server verifies webhook signatures with this key (Standard Webhooks, Ed25519).";
    no_public_key = "The key appears once an endpoint is set.";
    rotate = "Rotate key";
    rotate_ask = "Rotate the webhook key?";
    rotate_why = "A new key signs from now on. The old key also signs for 24 hours, so you can install the new one.";
    key_rotated = "Key rotated";
    api_key = "API key";
    api_keys = "API keys";
    api_keys_why = "Your server uses a key to act for this organisation. Use one key per server, so that you can replace each alone.";
    key_name_hint = "Where the key will be used.";
    scopes = "Permissions";
    create_key = "Create key";
    key_once = "Copy the key now";
    key_once_why = "You won’t see it again. Keep it like a password.";
    example_call = "Example call";
    example_call_why = "Reads your organisation with this key. Paste it into a terminal.";
    signed_call = "Signed example call";
    signed_call_why = "Protected calls, such as payouts, need a signature. Insert your signing secret in the first line.";
    your_signing_secret = "your signing secret";
    key_stored = "I have stored it";
    last_used = "Last used";
    revoke = "Revoke";
    revoke_why = "Requests with this key will be rejected. This can’t be undone.";
    key_revoked = "Key revoked";
    no_keys = "No API keys yet";
    no_keys_hint = "Create a key for the server that calls Settlekit. It is shown once.";
    signing_secret = "Signing secret";
    signing_secret_why = "Signs requests for payouts, pay-in addresses and partners (HMAC-SHA256).";
    hidden = "Hidden";
    reveal = "Reveal";
    hide = "Hide";
    hides_itself = "Hides again after a minute.";

    /// Error about an invalid line of `name: value`.
    no_colon(line: usize) = "needs a colon on line {line}";
    copied(what: &str) = "{what} copied";
    request_of(id: &str) = "Request {id}";
    unreadable_of(status: u16) = "The service sent an unreadable response with status {status}. Try again in a moment.";
    range_of(first: &str, last: &str, total: &str) = "{first}–{last} of {total}";
    none_here(total: &str) = "Past the end: {total} in total";
    account_of(id: i64) = "Account {id}";
    bundle_of(reference: &str) = "{reference} · all accounts";
    movement_of(id: &str) = "Movement {id}";
    http_of(status: u16) = "HTTP {status}";
    milliseconds(count: impl ToString) = "{count} ms";
    clear_filters(count: usize) = "Clear {count} filters", 1 = "Clear filter";
    revoke_of(name: &str) = "Revoke the key “{name}”?";
}

/// Keys with their descriptions.
pub(crate) fn key_list() -> [(&'static str, &'static str); 10] {
    [
        (
            "Ctrl K",
            translate("Search pages, actions and records; also ⌘ K"),
        ),
        ("/", translate("Go to filters")),
        ("j", translate("Next row; also the down arrow")),
        ("k", translate("Previous row; also the up arrow")),
        ("Enter", translate("Open row")),
        ("x", translate("Select row")),
        ("[ ]", translate("Previous or next record")),
        ("n p", translate("Next or previous page")),
        ("Esc", translate("Close dialog or panel")),
        ("?", translate("Show this list")),
    ]
}

// --- Sentences with something in them ---

pub(crate) fn title(page: &str) -> String {
    format!("{page} · {}", product())
}

pub(crate) fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => translate("Read: view everything"),
        Scope::Write => translate("Write: create links, payments and customers"),
        Scope::Payout => translate("Payout: send money out"),
        Scope::Manage => translate("Manage: change keys, secrets and settings"),
    }
}

pub(crate) fn copy_of(what: &str) -> String {
    let what = lower(what);
    say!("Copy {what}", what)
}

/// Why a movement failed.
pub(crate) fn movement_failure(failure: &MovementFailure) -> String {
    let sentence = match failure {
        MovementFailure::Reverted => translate("The transaction failed on the chain"),
        MovementFailure::Dropped => {
            translate("No block has the transaction, or another one replaced it")
        }
        MovementFailure::NotAccepted => {
            translate("The network didn’t accept the transaction, so it was never sent")
        }
        MovementFailure::ApprovalRefused => translate("A second member refused the payout"),
        MovementFailure::Canceled => translate("The payout was canceled"),
        MovementFailure::NotExecuted => translate("The order wasn’t executed, or only in part"),
        MovementFailure::AmountTooLarge => translate("The balance would have too many digits"),
        MovementFailure::Other(word) => return words(word),
    };
    sentence.to_owned()
}

fn lower(what: &str) -> String {
    if chosen().has_capital_nouns {
        return what.to_owned();
    }
    // Abbreviations keep their capitals.
    let lower = |word: &str| {
        let is_abbreviation = word.chars().count() > 1 && word == word.to_uppercase();
        if is_abbreviation {
            word.to_owned()
        } else {
            word.to_lowercase()
        }
    };
    what.split(' ').map(lower).collect::<Vec<_>>().join(" ")
}

/// Label of an account: its name, else its reference, else its id.
pub(crate) fn account_display_name(
    name: &Option<String>,
    reference: &Option<AccountReference>,
    id: AccountId,
) -> String {
    let reference = || reference.as_ref().map(ToString::to_string);
    name.clone()
        .or_else(reference)
        .unwrap_or_else(|| account_of(id.get()))
}

pub(crate) fn fields_of(count: usize) -> String {
    format!("{{{count}}}")
}

pub(crate) fn items_of(count: usize) -> String {
    format!("[{count}]")
}
