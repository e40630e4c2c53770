//! Every sentence the reader sees, in the order of the pages; the pages of a family have a file of their own.

mod commerce;
mod daily;
mod hooks;
mod links;
mod own;

pub(crate) use commerce::*;
pub(crate) use daily::*;
pub(crate) use hooks::*;
pub(crate) use links::*;
pub(crate) use own::*;

use settlekit_core::operation::Scope;

pub(crate) mod money;
pub(crate) mod sandbox;

// --- The product, and words of every page ---

pub(crate) const PRODUCT: &str = "Settlekit";
pub(crate) const OVERVIEW: &str = "Overview";
pub(crate) const MOVEMENTS: &str = "Movements";
pub(crate) const PAYMENTS: &str = "Payments";
pub(crate) const PAYLINKS: &str = "Payment links";
pub(crate) const EVENTS: &str = "Events";
pub(crate) const SETTINGS: &str = "Settings";
pub(crate) const INTERFACE: &str = "API reference";
pub(crate) const MAIN_NAV: &str = "Main";
pub(crate) const SKIP: &str = "Skip to content";
pub(crate) const MENU: &str = "Menu";
pub(crate) const SIGN_OUT: &str = "Sign out";
pub(crate) const SANDBOX: &str = "Sandbox: no real money";
pub(crate) const LIVE: &str = "Live";
pub(crate) const STALE: &str = "Not current: no answer from the service";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const CLOSE: &str = "Close";
pub(crate) const SAVE: &str = "Save";
pub(crate) const SAVED: &str = "Saved";
pub(crate) const CONTINUE: &str = "Continue";
pub(crate) const TRY_AGAIN: &str = "Try again";
pub(crate) const OPTIONAL: &str = "optional";
pub(crate) const UNKNOWN: &str = "Unknown";
pub(crate) const NEVER: &str = "Never";
pub(crate) const NOWHERE: &str = "There is no such page";
pub(crate) const NOWHERE_LESSON: &str =
    "The address may be old or mistyped. Everything there is can be reached from the overview.";
pub(crate) const COPY_BLOCKED: &str =
    "The browser does not allow copying here. Select the text to copy it.";
pub(crate) const THEME: &str = "Theme";
pub(crate) const THEME_AUTO: &str = "As the system";
pub(crate) const THEME_LIGHT: &str = "Light";
pub(crate) const THEME_DARK: &str = "Dark";

// --- Keys ---

pub(crate) const KEYS: &str = "Keyboard";
pub(crate) const KEYS_OFF: &str = "Turn off single-key shortcuts";

// --- When a call fails ---

pub(crate) const NOT_SENT: &str = "Nothing was sent";
pub(crate) const NO_CONNECTION: &str = "The service could not be reached";
pub(crate) const NO_CONNECTION_LONG: &str =
    "No answer came. Check the connection; what was asked for may or may not have happened.";
pub(crate) const REFUSED: &str = "That was refused";
pub(crate) const UNREADABLE: &str = "The answer cannot be read";

// --- Signing in ---

pub(crate) const SIGN_IN: &str = "Sign in";
pub(crate) const SIGN_IN_TITLE: &str = "Sign in to your organisation";
pub(crate) const SIGN_IN_BELOW: &str = "Merchant dashboard";
pub(crate) const EMAIL: &str = "E-mail";
pub(crate) const PASSWORD: &str = "Password";
pub(crate) const SESSION_ENDED: &str = "Your session has ended";
pub(crate) const SESSION_ENDED_WHY: &str = "Sign in again to go on where you were.";
pub(crate) const STEP_UP: &str = "Confirm that it is you";
pub(crate) const STEP_UP_WHY: &str = "This act is protected. Enter your password to go on.";

// --- Lists ---

pub(crate) const FILTERS: &str = "Filters";
pub(crate) const ANY: &str = "Any";
pub(crate) const FROM_DAY: &str = "From";
pub(crate) const TO_DAY: &str = "To";
pub(crate) const ORDER: &str = "Order";
pub(crate) const NEWEST_FIRST: &str = "Newest first";
pub(crate) const OLDEST_FIRST: &str = "Oldest first";
pub(crate) const PAGES: &str = "Pages";
pub(crate) const ROWS: &str = "Rows";
pub(crate) const PREVIOUS: &str = "Previous";
pub(crate) const NEXT: &str = "Next";
pub(crate) const NO_MATCH: &str = "Nothing matches these filters";
pub(crate) const NO_MATCH_LESSON: &str =
    "Widen the days or clear a filter. Nothing is hidden otherwise.";
pub(crate) const NOT_ON_PAGE: &str = "Not on this page";
pub(crate) const NOT_ON_PAGE_WHY: &str =
    "This movement is on another page of the list, or belongs to another account.";

// --- Words of records ---

pub(crate) const AMOUNT: &str = "Amount";
pub(crate) const STATUS: &str = "Status";
pub(crate) const TYPE: &str = "Type";
pub(crate) const WHEN: &str = "When";
pub(crate) const CHAIN: &str = "Chain";
pub(crate) const CURRENCY: &str = "Currency";
pub(crate) const ACCOUNT: &str = "Account";
pub(crate) const CAUSE: &str = "Cause";
pub(crate) const FEE: &str = "Fee";
pub(crate) const FROM: &str = "From";
pub(crate) const TO: &str = "To";
pub(crate) const TRANSACTION: &str = "Transaction";
pub(crate) const RECORDED: &str = "Recorded";
pub(crate) const CREATED: &str = "Created";
pub(crate) const CONFIRMED: &str = "Confirmed";
pub(crate) const DELETED: &str = "Deleted";
pub(crate) const EXPIRES: &str = "Expires";
pub(crate) const REFERENCE: &str = "Reference";
pub(crate) const DESCRIPTION: &str = "Description";
pub(crate) const CUSTOMER: &str = "Customer";
pub(crate) const INTERNAL: &str = "Internal";
pub(crate) const IN: &str = "In";
pub(crate) const OUT: &str = "Out";
pub(crate) const WAY_IN: &str = ", incoming";
pub(crate) const WAY_OUT: &str = ", outgoing";
pub(crate) const PROCESSING: &str = "processing";
pub(crate) const FAILED: &str = "failed";
pub(crate) const IN_DOLLARS: &str = "In US dollars";
pub(crate) const ACTIONS: &str = "Actions";

// --- Overview ---

pub(crate) const ATTENTION: &str = "What needs attention";
pub(crate) const PAYMENTS_PROCESSING: &str = "Payments processing";
pub(crate) const MOVEMENTS_PENDING: &str = "Movements pending";
pub(crate) const DELIVERIES_FAILED: &str = "Deliveries failed";
pub(crate) const PAYLINKS_ACTIVE: &str = "Active payment links";
pub(crate) const VOLUME: &str = "Volume";
pub(crate) const TOTAL: &str = "Total balance";
pub(crate) const IN_30: &str = "In, 30 days";
pub(crate) const OUT_30: &str = "Out, 30 days";
pub(crate) const BALANCES: &str = "Balances";
pub(crate) const POSTED: &str = "Posted";
pub(crate) const RESERVED: &str = "Reserved";
pub(crate) const AVAILABLE: &str = "Available";
pub(crate) const NO_BALANCES: &str = "No balances yet";
pub(crate) const NO_BALANCES_LESSON: &str =
    "Balances appear here with the first payment. A payment link is the quickest way to get one.";
pub(crate) const LATEST_EVENTS: &str = "Latest events";
pub(crate) const ALL_EVENTS: &str = "All events";
pub(crate) const CHART_LABEL: &str =
    "Confirmed volume by day, in US dollars. Left and right arrows read one day after the other.";
pub(crate) const CHART_HINT: &str = "Point at a day, or use the arrow keys";
pub(crate) const AS_TABLE: &str = "Show as a table";
pub(crate) const DAY: &str = "Day";
pub(crate) const IN_USD: &str = "In (USD)";
pub(crate) const OUT_USD: &str = "Out (USD)";

// --- Movements ---

pub(crate) const MOVEMENTS_LEAD: &str =
    "Every entry of an account’s ledger and of the accounts below it, exact to the last digit.";
pub(crate) const MOVEMENT_ID: &str = "Movement";
pub(crate) const NO_MOVEMENTS: &str = "No movements yet";
pub(crate) const NO_MOVEMENTS_LESSON: &str = "Each deposit, withdrawal, transfer and fee becomes one line here. The first arrives with the first payment.";
pub(crate) const OPEN_PAYMENT: &str = "Open the payment";

// --- Payments ---

pub(crate) const PAYMENTS_LEAD: &str =
    "What payers were asked for, what arrived, and where each payment stands.";
pub(crate) const PAYMENT: &str = "Payment";
pub(crate) const FOR: &str = "For";
pub(crate) const NO_LINK: &str = "Without a link";
pub(crate) const PAID: &str = "Arrived";
pub(crate) const TO_ACCOUNT: &str = "To account";
pub(crate) const DEPOSIT_ADDRESS: &str = "Deposit address";
pub(crate) const CONFIRMATIONS: &str = "Confirmations";
pub(crate) const TIMELINE: &str = "Timeline";
pub(crate) const EVENTS_OF_PAYMENT: &str = "Events of this payment";
pub(crate) const NO_PAYMENTS: &str = "No payments yet";
pub(crate) const NO_PAYMENTS_LESSON: &str = "Make a payment link and send it to a customer. Their payment appears here the moment they choose how to pay.";
pub(crate) const CANCEL_PAYMENT: &str = "Cancel payment";
pub(crate) const CANCEL_PAYMENT_ASK: &str = "Cancel this payment?";
pub(crate) const CANCEL_PAYMENT_WHY: &str = "The payer’s page closes, and money sent to its address afterwards will not be matched. This cannot be undone.";
pub(crate) const PAYMENT_CANCELED: &str = "Payment canceled";

// --- Payment links ---

pub(crate) const PAYLINKS_LEAD: &str = "Pages where your customers pay, each with its own address.";
pub(crate) const PAYLINK: &str = "Payment link";
pub(crate) const PAYLINK_ID: &str = "Payment link";
pub(crate) const PAYLINK_NAME: &str = "Name";
pub(crate) const PAYLINK_NAME_HINT: &str = "What is sold. The payer sees it.";
pub(crate) const PRICE: &str = "Price";
pub(crate) const PICTURE: &str = "Picture";
pub(crate) const LEFT: &str = "Left";
pub(crate) const UNLIMITED: &str = "Unlimited";
pub(crate) const ADDRESS_OF_LINK: &str = "Payer’s page";
pub(crate) const OPEN_PAGE: &str = "Open page";
pub(crate) const WHAT_IS_SOLD: &str = "What is sold";
pub(crate) const AFTER_PAYMENT: &str = "After the payment";
pub(crate) const AFTER_PAYMENT_WHY: &str = "Where the payer goes next, or what they read.";
pub(crate) const REDIRECT: &str = "Send the payer to";
pub(crate) const FAILURE_REDIRECT: &str = "After a failure, send them to";
pub(crate) const MESSAGE: &str = "Message";
pub(crate) const MESSAGE_HINT: &str = "Shown on the payer’s page after a payment.";
pub(crate) const LIMITS: &str = "Limits and questions";
pub(crate) const QUANTITY: &str = "How many may be sold";
pub(crate) const REFERENCE_HINT: &str = "Your own name for this link. The payer does not see it.";
pub(crate) const ASK_PAYER: &str = "Ask the payer for";
pub(crate) const ASK_WHO: &str = "a customer number";
pub(crate) const ASK_WHERE: &str = "a shipping address";
pub(crate) const ASK_TAX: &str = "a tax number";
pub(crate) const PREVIEW: &str = "What the payer sees";
pub(crate) const CREATE_PAYLINK: &str = "Create payment link";
pub(crate) const CREATE_PAYLINK_LEAD: &str =
    "Name it, price it, send it. Everything else is optional.";
pub(crate) const PAYLINK_MADE: &str = "The payment link is ready";
pub(crate) const PAYLINK_MADE_WHY: &str =
    "Send its address to your customer. Payments made with it appear under Payments.";
pub(crate) const NO_PAYLINKS: &str = "No payment links yet";
pub(crate) const NO_PAYLINKS_LESSON: &str = "A payment link is a page with a price. Make one, send its address to a customer, and watch the payment arrive.";
pub(crate) const DELETE_PAYLINK: &str = "Delete payment link";
pub(crate) const DELETE_PAYLINK_ASK: &str = "Delete this payment link?";
pub(crate) const DELETE_PAYLINK_WHY: &str = "Its page stops taking payments at once. Payments already made stay where they are. This cannot be undone.";
pub(crate) const PAYLINK_DELETED: &str = "Payment link deleted";

// --- Events ---

pub(crate) const EVENTS_LEAD: &str =
    "What happened in your organisation, and whether your server was told.";
pub(crate) const EVENT: &str = "Event";
pub(crate) const EVENT_ID: &str = "Event";
pub(crate) const ACTION: &str = "Action";
pub(crate) const DELIVERY: &str = "Delivery";
pub(crate) const ANSWER: &str = "Answer";
pub(crate) const ABOUT: &str = "About";
pub(crate) const NUMBER: &str = "No.";
pub(crate) const ATTEMPTS: &str = "Delivery attempts";
pub(crate) const NO_ATTEMPTS: &str = "Nothing has been sent yet.";
pub(crate) const RETRY: &str = "Deliver again";
pub(crate) const RETRY_SENT: &str = "Delivering again";
pub(crate) const RECORD: &str = "Record";
pub(crate) const REQUEST: &str = "Request";
pub(crate) const RESPONSE: &str = "Response";
pub(crate) const NO_RESPONSE: &str = "No response body.";
pub(crate) const TREE: &str = "Tree";
pub(crate) const RAW: &str = "Raw";
pub(crate) const NO_EVENTS: &str = "No events yet";
pub(crate) const NO_EVENTS_LESSON: &str =
    "Every change is recorded here and sent to your webhook endpoint.";
pub(crate) const SET_ENDPOINT: &str = "Set the webhook endpoint";

// --- Settings ---

pub(crate) const ORGANISATION: &str = "Organisation";
pub(crate) const ORGANISATION_ID: &str = "Organisation";
pub(crate) const PARTNER: &str = "Partner";
pub(crate) const PROFILE: &str = "Profile";
pub(crate) const ORGANISATION_NAME: &str = "Name";
pub(crate) const ORGANISATION_NAME_HINT: &str = "Payers see it on every payment page.";
pub(crate) const LOGO: &str = "Logo";
pub(crate) const FEE_PAYER: &str = "Who pays the fees";
pub(crate) const FEE_PAYER_HINT: &str = "Network and service fees of payments.";
pub(crate) const FEE_MERCHANT: &str = "The organisation";
pub(crate) const FEE_CUSTOMER: &str = "The payer";
pub(crate) const TOLERANCE: &str = "Accepted shortfall, in US dollars";
pub(crate) const TOLERANCE_HINT: &str = "A payment short by no more than this counts as paid.";
pub(crate) const WEBHOOKS: &str = "Webhooks";
pub(crate) const ENDPOINT: &str = "Endpoint";
pub(crate) const ENDPOINT_WHY: &str = "Every event is sent here as a signed POST. Failed deliveries are repeated for three days and can be repeated by hand.";
pub(crate) const ENDPOINT_ADDRESS: &str = "Endpoint address";
pub(crate) const ENDPOINT_HINT: &str = "Leave it empty to send nothing.";
pub(crate) const PUBLIC_KEY: &str = "Public key";
pub(crate) const PUBLIC_KEY_WHY: &str =
    "Your server checks the signature of each webhook with this key (Standard Webhooks, Ed25519).";
pub(crate) const NO_PUBLIC_KEY: &str = "The key appears once an endpoint is set.";
pub(crate) const ROTATE: &str = "Rotate key";
pub(crate) const ROTATE_ASK: &str = "Rotate the webhook key?";
pub(crate) const ROTATE_WHY: &str = "A new key signs from now on. For 24 hours the old key signs too, so that you can put the new one in place.";
pub(crate) const KEY_ROTATED: &str = "Key rotated";
pub(crate) const API_KEY: &str = "API key";
pub(crate) const API_KEYS: &str = "API keys";
pub(crate) const API_KEYS_WHY: &str = "Your server proves with a key that it may act for this organisation. One key for each server makes it easy to replace one.";
pub(crate) const KEY_NAME: &str = "Name";
pub(crate) const KEY_NAME_HINT: &str = "Where the key will be used.";
pub(crate) const SCOPES: &str = "Allowed";
pub(crate) const CREATE_KEY: &str = "Create key";
pub(crate) const KEY_ONCE: &str = "Copy the key now";
pub(crate) const KEY_ONCE_WHY: &str =
    "It is shown this once and cannot be recovered. Keep it like a password.";
pub(crate) const KEY_STORED: &str = "I have stored it";
pub(crate) const LAST_USED: &str = "Last used";
pub(crate) const REVOKE: &str = "Revoke";
pub(crate) const REVOKE_WHY: &str =
    "Requests with this key are refused from now on. This cannot be undone.";
pub(crate) const KEY_REVOKED: &str = "Key revoked";
pub(crate) const NO_KEYS: &str = "No API keys yet";
pub(crate) const NO_KEYS_LESSON: &str =
    "Create a key for the server that talks to Settlekit. Its secret is shown once.";
pub(crate) const SIGNING_SECRET: &str = "Signing secret";
pub(crate) const SIGNING_SECRET_WHY: &str = "Payouts, pay-in addresses and partner requests carry a signature made with this secret (HMAC-SHA256).";
pub(crate) const HIDDEN: &str = "Hidden";
pub(crate) const REVEAL: &str = "Reveal";
pub(crate) const HIDE: &str = "Hide";
pub(crate) const HIDES_ITSELF: &str = "It is hidden again after a minute.";

/// The keys and what they do.
pub(crate) const KEY_LIST: [(&str, &str); 9] = [
    (
        "Ctrl K",
        "Find a page, an act or a record; ⌘ K does the same",
    ),
    ("/", "Go to the filters"),
    ("j", "Next row; the down arrow does the same"),
    ("k", "Previous row; the up arrow does the same"),
    ("Enter", "Open the row"),
    ("x", "Pick the row, where rows can be picked"),
    ("[ ]", "The record before, the record after"),
    ("Esc", "Close what is open"),
    ("?", "This help"),
];

// --- Sentences with something in them ---

pub(crate) fn title(page: &str) -> String {
    format!("{page} · {PRODUCT}")
}

/// A message of the service as a sentence.
pub(crate) fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let Some(first) = chars.next() else {
        return REFUSED.to_owned();
    };
    let end = if message.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    format!("{}{}{end}", first.to_uppercase(), chars.as_str())
}

/// What core says of a field, with the field's name as the reader knows it.
pub(crate) fn complaint(label: &str, message: &str) -> String {
    format!("{label} {message}.")
}

/// A word of the contract for the reader: `SoldOut` is `Sold out`.
pub(crate) fn words(word: &str) -> String {
    if word == "PartialRefunded" {
        return "Partly refunded".to_owned();
    }
    let mut text = String::new();
    for (index, letter) in word.chars().enumerate() {
        if index == 0 {
            text.extend(letter.to_uppercase());
        } else if letter.is_uppercase() {
            text.push(' ');
            text.extend(letter.to_lowercase());
        } else {
            text.push(if letter == '_' { ' ' } else { letter });
        }
    }
    text
}

pub(crate) fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "Read: look at everything",
        Scope::Write => "Write: make links, payments and customers",
        Scope::Payout => "Payout: send money out",
        Scope::Manage => "Manage: change keys, secrets and settings",
    }
}

pub(crate) fn copy_of(what: &str) -> String {
    format!("Copy {}", lower(what))
}

pub(crate) fn copied(what: &str) -> String {
    format!("{what} copied")
}

fn lower(what: &str) -> String {
    if what.starts_with("API") {
        what.to_owned()
    } else {
        what.to_lowercase()
    }
}

pub(crate) fn request_of(id: &str) -> String {
    format!("Request {id}")
}

pub(crate) fn unreadable_of(status: u16) -> String {
    format!(
        "The service answered with status {status} and something this page does not understand. Try again in a moment."
    )
}

pub(crate) fn range_of(first: &str, last: &str, total: &str) -> String {
    format!("{first}–{last} of {total}")
}

pub(crate) fn none_here(total: &str) -> String {
    format!("Past the end: {total} in all")
}

pub(crate) fn clear_filters(count: usize) -> String {
    if count == 1 {
        "Clear filter".to_owned()
    } else {
        format!("Clear {count} filters")
    }
}

pub(crate) fn account_of(id: i64) -> String {
    format!("Account {id}")
}

pub(crate) fn movement_of(id: &str) -> String {
    format!("Movement {id}")
}

pub(crate) fn movements_of(count: &str) -> String {
    if count == "1" {
        "1 movement".to_owned()
    } else {
        format!("{count} movements")
    }
}

pub(crate) fn fields_of(count: usize) -> String {
    format!("{{{count}}}")
}

pub(crate) fn items_of(count: usize) -> String {
    format!("[{count}]")
}

pub(crate) fn http_of(status: u16) -> String {
    format!("HTTP {status}")
}

pub(crate) fn milliseconds(count: u32) -> String {
    format!("{count} ms")
}

pub(crate) fn revoke_of(name: &str) -> String {
    format!("Revoke the key “{name}”?")
}
