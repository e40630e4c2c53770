//! What the reader sees on the pages about money: accounts, payouts, trading, partners.

use settlekit_core::account::{AccountProvider, AccountType};
use settlekit_core::automation::{ActionType, AutomationCondition, AutomationSchedule, Comparison};
use settlekit_core::external_account::ExternalAccountType;
use settlekit_core::payment::CancelObstacle;
use settlekit_core::quote::{DepositMethod, QuoteMode};

use super::words;

// --- Every act on money ---

pub(crate) const CHOOSE: &str = "Choose…";
pub(crate) const TYPE_TO_CONFIRM: &str = "To go on, type";
pub(crate) const OUTCOME_UNKNOWN: &str = "The outcome is unknown";
pub(crate) const OUTCOME_UNKNOWN_WHY: &str = "It may have happened, or not. Asking again sends the same request under the same key, so that it happens once at most.";
pub(crate) const ASK_AGAIN: &str = "Ask again";
pub(crate) const OWN_NAME_HINT: &str = "Your own name for it.";
pub(crate) const ADDRESS: &str = "Address";
pub(crate) const ADDRESS_HINT: &str = "Copy it whole: what is sent to a wrong address is gone.";
pub(crate) const CURRENCIES: &str = "Currencies";
pub(crate) const CHOOSE_CHAIN_FIRST: &str = "Choose the chain first.";
pub(crate) const CHOOSE_ACCOUNT_FIRST: &str = "Choose the account first";

// --- Accounts ---

pub(crate) const ACCOUNTS: &str = "Accounts";
pub(crate) const ACCOUNTS_LEAD: &str =
    "Where your money is: virtual accounts, the wallets below them, and settlement accounts.";
pub(crate) const ACCOUNT_NAME: &str = "Name";
pub(crate) const ACCOUNT_ID: &str = "Account number";
pub(crate) const NO_ACCOUNTS: &str = "No accounts yet";
pub(crate) const NO_ACCOUNTS_LESSON: &str = "An account is a wallet that takes payments. A virtual account is one name over a wallet on each chain: the best beginning.";
pub(crate) const CREATE_ACCOUNT: &str = "Create account";
pub(crate) const CREATE_ACCOUNT_LEAD: &str = "It takes payments as soon as it is made.";
pub(crate) const ACCOUNT_MADE: &str = "Account created";
pub(crate) const VIRTUAL_ACCOUNT: &str = "Virtual account";
pub(crate) const VIRTUAL_ACCOUNT_WHY: &str =
    "One reference over a wallet on each chain. Chains and currencies can be added later.";
pub(crate) const VIRTUAL_REFERENCE_HINT: &str =
    "Your own name for it in requests. Every chain’s account bears it.";
pub(crate) const SETTLEMENT_ACCOUNT: &str = "Settlement account";
pub(crate) const SETTLEMENT_ACCOUNT_WHY: &str =
    "One wallet on one chain. Without an address of your own the service keeps its keys.";
pub(crate) const PARENT: &str = "Below";
pub(crate) const NO_PARENT: &str = "No other account";
pub(crate) const BELOW: &str = "Accounts below";
pub(crate) const OWN_WALLET: &str = "Your own wallet’s address";
pub(crate) const OWN_WALLET_HINT: &str =
    "Leave it empty to let the service make a wallet and keep its keys.";
pub(crate) const KEYS_KEPT: &str = "Keys kept by";
pub(crate) const PAYIN_FEE: &str = "Fee on payments in";
pub(crate) const PAYOUT_FEE: &str = "Fee on payments out";
pub(crate) const FEE_STANDARD: &str = "None of its own";
pub(crate) const CHAINS: &str = "Chains and currencies";
pub(crate) const CHAINS_HINT: &str = "A chain is added with its first currency.";
pub(crate) const CHAINS_WHY: &str = "Tick what is to be taken on which chain. A currency that was added stays; a chain can be switched off and on.";
pub(crate) const TAKES_PAYMENTS: &str = "Takes payments";
pub(crate) const WHAT_WILL_CHANGE: &str = "What will change";
pub(crate) const NOTHING_CHANGES: &str = "Nothing yet: tick a currency or switch a chain.";
pub(crate) const APPLY_CHANGES: &str = "Apply changes";
pub(crate) const APPLY_CHANGES_ASK: &str = "Apply these changes?";
pub(crate) const CHAINS_CHANGED: &str = "Chains changed";
pub(crate) const DEPOSIT_SPLITS: &str = "Deposit splits";
pub(crate) const DEPOSIT_SPLITS_WHY: &str =
    "A share of every deposit is sent on at once. What is left over stays here.";
pub(crate) const SPLIT_KIND: &str = "Kind of destination";
pub(crate) const SPLIT_TO: &str = "Destination";
pub(crate) const SPLIT_PERCENT: &str = "Share in percent";
pub(crate) const SPLIT_ACCOUNT: &str = "Account";
pub(crate) const SPLIT_REFERENCE: &str = "Reference";
pub(crate) const SPLIT_ADDRESS: &str = "Address";
pub(crate) const ADD_SHARE: &str = "Add a share";
pub(crate) const REMOVE_SHARE: &str = "Remove this share";
pub(crate) const SPLITS_UNREADABLE: &str = "One of the shares is not a number.";
pub(crate) const SPLITS_CHANGED: &str = "Deposit splits saved";
pub(crate) const PAY_IN_ADDRESSES: &str = "Pay-in addresses";
pub(crate) const PAY_IN_ADDRESSES_WHY: &str = "Permanent addresses: whatever arrives there is booked to this account, without a payment link.";
pub(crate) const PAY_IN_CUSTOMER_HINT: &str =
    "The id of the customer whose payments it takes: cus_…";
pub(crate) const CREATE_ADDRESS: &str = "Create address";
pub(crate) const ADDRESS_MADE: &str = "The address is ready";
pub(crate) const NO_PAY_IN_ADDRESSES: &str = "No permanent addresses";
pub(crate) const NO_PAY_IN_ADDRESSES_LESSON: &str =
    "Make one for a customer who pays again and again, and print it on their contract.";
pub(crate) const DELETE_ACCOUNT: &str = "Delete account";
pub(crate) const DELETE_ACCOUNT_WHY: &str = "Only an account that holds nothing and has nothing under way can be deleted, together with the accounts below it.";
pub(crate) const DELETE_ACCOUNT_CONSEQUENCE: &str = "Its addresses stop taking payments, and what is sent there afterwards is not booked. Its movements stay. This cannot be undone.";
pub(crate) const ACCOUNT_DELETED: &str = "Account deleted";

pub(crate) fn account_type(kind: &AccountType) -> &str {
    match kind {
        AccountType::CryptoPayIn => "Settlement",
        AccountType::Virtual => "Virtual",
        AccountType::Other(word) => word,
    }
}

pub(crate) fn provider(provider: &AccountProvider) -> String {
    match provider {
        AccountProvider::External => "You".to_owned(),
        AccountProvider::Managed => "The service".to_owned(),
        AccountProvider::Other(word) => word.clone(),
    }
}

pub(crate) fn takes_payments_on(chain: &str) -> String {
    format!("Takes payments on {chain}")
}

pub(crate) fn currency_on(currency: &str, chain: &str) -> String {
    format!("{currency} on {chain}")
}

pub(crate) fn change_add(chain: &str, currencies: &str) -> String {
    format!("{chain} is added with {currencies}, with a new wallet.")
}

pub(crate) fn change_more(chain: &str, currencies: &str) -> String {
    format!("{chain} takes {currencies} as well.")
}

pub(crate) fn change_enable(chain: &str, currencies: &str) -> String {
    if currencies.is_empty() {
        format!("{chain} takes payments again.")
    } else {
        format!("{chain} takes payments again, {currencies} as well.")
    }
}

pub(crate) fn change_disable(chain: &str) -> String {
    format!("{chain} stops taking payments; what it holds stays.")
}

pub(crate) fn share_number(number: u32) -> String {
    format!("Share {number}")
}

pub(crate) fn splits_sum(sum: &str, stays: &str) -> String {
    format!("Sent on: {sum} %. Stays here: {stays} %.")
}

pub(crate) fn splits_too_much(sum: &str) -> String {
    format!("The shares add up to {sum} %: more than there is.")
}

pub(crate) fn newest_of(shown: usize, total: u64) -> String {
    format!("The newest {shown} of {total}.")
}

pub(crate) fn delete_account_of(name: &str) -> String {
    format!("Delete the account “{name}”?")
}

// --- Payouts ---

pub(crate) const PAYOUT: &str = "Payout";
pub(crate) const PAYOUTS: &str = "Payouts";
pub(crate) const PAYOUTS_LEAD: &str = "What was sent out of your accounts, and where each stands.";
pub(crate) const NO_PAYOUTS: &str = "No payouts yet";
pub(crate) const NO_PAYOUTS_LESSON: &str = "A payout sends money from an account to a wallet of yours or of a supplier. The fee is shown before anything leaves.";
pub(crate) const CREATE_PAYOUT: &str = "New payout";
pub(crate) const CREATE_PAYOUT_LEAD: &str =
    "Nothing leaves before you have seen the fee and said yes.";
pub(crate) const PAY_OUT: &str = "Pay out";
pub(crate) const FROM_ACCOUNT: &str = "From account";
pub(crate) const OTHER_ADDRESS: &str = "Another address";
pub(crate) const PAYOUT_AMOUNT_HINT: &str = "How much arrives. The network’s fee is taken on top.";
pub(crate) const REVIEW_PAYOUT: &str = "Review payout";
pub(crate) const SEND_PAYOUT: &str = "Send payout";
pub(crate) const PAYOUT_ASK: &str = "Send this payout?";
pub(crate) const PAYOUT_SENT: &str = "The payout is on its way";
pub(crate) const LOOK_IN_PAYOUTS: &str = "Look in payouts";
pub(crate) const ESTIMATE: &str = "Estimate";
pub(crate) const ESTIMATE_NEEDS: &str =
    "Choose an account and a destination and enter an amount: the fee appears here.";
pub(crate) const ARRIVES: &str = "Arrives";
pub(crate) const NETWORK_FEE: &str = "Network fee";
pub(crate) const NOT_COVERED: &str = "The account does not cover this";
pub(crate) const NOT_COVERED_WHY: &str =
    "Amount and fee together are more than is available. The service would refuse it.";

pub(crate) fn payout_ask(money: &str, from: &str, to: &str) -> String {
    format!("{money} leave {from} for {to}. A payout that is on a chain cannot be called back.")
}

// --- External accounts ---

pub(crate) const EXTERNAL_ACCOUNT: &str = "External account";
pub(crate) const EXTERNAL_ACCOUNTS: &str = "External accounts";
pub(crate) const EXTERNAL_ACCOUNTS_LEAD: &str = "Where payouts may go: wallets and accounts at banks. Of names and numbers only hints are shown.";
pub(crate) const EXTERNAL_ID: &str = "External account";
pub(crate) const DESTINATION: &str = "Destination";
pub(crate) const ADD_EXTERNAL: &str = "Add external account";
pub(crate) const EXTERNAL_MADE: &str = "External account added";
pub(crate) const EXTERNAL_REMOVED: &str = "External account removed";
pub(crate) const NO_EXTERNAL: &str = "No external accounts yet";
pub(crate) const NO_EXTERNAL_LESSON: &str =
    "Put the wallets you pay out to on record once, so that nobody types an address twice.";
pub(crate) const REMOVE_EXTERNAL: &str = "Remove";
pub(crate) const REMOVE_EXTERNAL_ASK: &str = "Remove this external account?";
pub(crate) const REMOVE_EXTERNAL_WHY: &str =
    "New payouts can no longer name it. Payouts that are under way go on.";
pub(crate) const WALLET: &str = "Wallet";
pub(crate) const BANK_ACCOUNT: &str = "Account at a bank";
pub(crate) const RAIL: &str = "Payment rail";
pub(crate) const BANK: &str = "Bank";
pub(crate) const COUNTRY: &str = "Country";
pub(crate) const COUNTRY_HINT: &str = "Two capital letters: DE";
pub(crate) const BENEFICIARY: &str = "Belongs to";
pub(crate) const HOLDER: &str = "Holder";
pub(crate) const HOLDER_HINT: &str = "The whole name. Afterwards only a hint of it is shown.";
pub(crate) const ACCOUNT_NUMBER: &str = "Bank account number";
pub(crate) const ACCOUNT_NUMBER_HINT: &str =
    "IBAN or number without spaces. Afterwards only its end is shown.";
pub(crate) const BANK_CURRENCIES_HINT: &str = "Separated by commas: EUR, USD";
pub(crate) const ONLY_HINTS: &str =
    "Holder and number are kept whole by the service and never shown whole.";

pub(crate) fn external_type(kind: &ExternalAccountType) -> &str {
    match kind {
        ExternalAccountType::Digital => WALLET,
        ExternalAccountType::Fiat => BANK_ACCOUNT,
        ExternalAccountType::Other(word) => word,
    }
}

// --- One payment ---

pub(crate) const TRANSACTIONS: &str = "Transactions on the chain";
pub(crate) const PAYOUT_SPLITS: &str = "How it is paid out";
pub(crate) const SENT: &str = "Sent";
pub(crate) const REFUNDED: &str = "Sent back";
pub(crate) const REFUND: &str = "Refund";
pub(crate) const REFUND_TITLE: &str = "Send this payment back";
pub(crate) const REFUND_TO: &str = "To another address";
pub(crate) const REFUND_TO_HINT: &str = "Leave it empty to send it to whoever paid.";
pub(crate) const REFUND_SENT: &str = "The refund is on its way";
pub(crate) const LOOK_IN_PAYMENTS: &str = "Look in payments";

pub(crate) fn refund_left(whole: &str) -> String {
    format!("{whole} can still be sent back.")
}

pub(crate) fn refund_sentence(money: &str, to: Option<&str>) -> String {
    match to {
        Some(to) => format!("{money} go back to {to}. This cannot be undone."),
        None => format!("{money} go back. Who paid is not known: name the address."),
    }
}

pub(crate) fn cancel_obstacle(obstacle: CancelObstacle) -> &'static str {
    match obstacle {
        CancelObstacle::Status => {
            "It cannot be canceled yet: only a payment that is Processing can be."
        }
        CancelObstacle::Method => "It cannot be canceled: it is not paid to an address of its own.",
        CancelObstacle::Scheduled => "It cannot be canceled: it runs by a schedule.",
        CancelObstacle::Paid => {
            "It cannot be canceled: money has arrived. Refund it once it is confirmed."
        }
    }
}

// --- Trading ---

pub(crate) const TRADING: &str = "Trading";
pub(crate) const TRADING_LEAD: &str = "One currency for another, at a price you have seen.";
pub(crate) const QUICK_TRADE: &str = "Quick trade";
pub(crate) const QUICK_TRADE_WHY: &str =
    "At the price of the moment. An estimate comes first; nothing is traded by it.";
pub(crate) const RFQ_DESK: &str = "Quote desk";
pub(crate) const QUOTE: &str = "Quote";
pub(crate) const QUOTES: &str = "Quotes";
pub(crate) const ORDER: &str = "Order";
pub(crate) const ORDERS: &str = "Orders";
pub(crate) const MARKETS: &str = "Markets";
pub(crate) const NOT_OTC: &str = "Only for trading over the counter";
pub(crate) const NOT_OTC_LESSON: &str = "Your organisation does not have this feature: whoever runs the service can switch it on. Quick trades and quotes work without it.";
pub(crate) const NO_ORDERS: &str = "No orders yet";
pub(crate) const NO_ORDERS_LESSON: &str =
    "An order is made when a quote is accepted or a quick trade is done.";
pub(crate) const NO_QUOTES: &str = "No quotes yet";
pub(crate) const NO_QUOTES_LESSON: &str =
    "Ask for a price at the quote desk: every quote is kept here, whatever came of it.";
pub(crate) const SOLD: &str = "Sold";
pub(crate) const BOUGHT: &str = "Bought";
pub(crate) const RATE: &str = "Effective rate";
pub(crate) const SIDE: &str = "Side";
pub(crate) const FEES: &str = "Fees";
pub(crate) const WORTH: &str = "Worth";
pub(crate) const FUNDED_BY: &str = "Funded by";
pub(crate) const FROM_CHAIN: &str = "From chain";
pub(crate) const TO_CHAIN: &str = "To chain";
pub(crate) const OPEN_QUOTE: &str = "Open the quote";
pub(crate) const OPEN_ORDER: &str = "Open the order";
pub(crate) const LOOK_IN_ORDERS: &str = "Look in orders";
pub(crate) const EXACT_SIDE: &str = "Exact side";
pub(crate) const SELL_EXACT: &str = "Sell an exact amount";
pub(crate) const BUY_EXACT: &str = "Buy an exact amount";
pub(crate) const YOU_SELL: &str = "You sell";
pub(crate) const YOU_BUY: &str = "You buy";
pub(crate) const YOU_HAVE: &str = "You have";
pub(crate) const SELL_AMOUNT: &str = "Amount to sell";
pub(crate) const BUY_AMOUNT: &str = "Amount to buy";
pub(crate) const ADD_LEG: &str = "Sell another currency too";
pub(crate) const REMOVE_LEG: &str = "Remove this currency";
pub(crate) const PRIMARY_ACCOUNT: &str = "Primary virtual account";
pub(crate) const SAME_ACCOUNT: &str = "The funding account";
pub(crate) const SETTLED_TO: &str = "Settled to";
pub(crate) const HANDED_OVER: &str = "Handed over";
pub(crate) const REQUEST_QUOTE: &str = "Ask for a price";
pub(crate) const REQUEST_QUOTE_WHY: &str =
    "A quote is held for a short while and can be accepted once. An estimate is held by nobody.";
pub(crate) const GET_QUOTE: &str = "Get quote";
pub(crate) const GET_ESTIMATE: &str = "Get estimate";
pub(crate) const ESTIMATE_WHY: &str = "What a quote would say now. It cannot be accepted.";
pub(crate) const NO_QUOTE_YET: &str = "No price asked for";
pub(crate) const NO_QUOTE_YET_LESSON: &str =
    "The quote appears here with its rate, its fees and the time it is held.";
pub(crate) const TIME_LEFT: &str = "Time the quote is held";
pub(crate) const ACCEPT: &str = "Accept";
pub(crate) const REJECT: &str = "Reject";
pub(crate) const ACCEPT_ASK: &str = "Accept this quote?";
pub(crate) const REJECT_ASK: &str = "Reject this quote?";
pub(crate) const REJECT_WHY: &str = "It can no longer be accepted. Another one can be asked for.";
pub(crate) const QUOTE_ACCEPTED: &str = "Quote accepted";
pub(crate) const QUOTE_REJECTED: &str = "Quote rejected";
pub(crate) const ACCEPTED: &str = "Accepted";
pub(crate) const REJECTED: &str = "Rejected";
pub(crate) const FUND_UNTIL: &str = "To be funded until";
pub(crate) const BUYABLE_HINT: &str = "What the account can take and a venue trades.";
pub(crate) const TRADE_REFERENCE_HINT: &str =
    "By this the order is found again if no answer comes.";
pub(crate) const NO_ESTIMATE_YET: &str = "No estimate yet";
pub(crate) const NO_ESTIMATE_YET_LESSON: &str = "Say what you sell and what you buy. The estimate appears here, and the trade can be made from it.";
pub(crate) const ESTIMATE_NOT_HELD: &str =
    "The price is not held: the trade is made at the price of its moment and shown beside this.";
pub(crate) const TRADE_NOW: &str = "Trade now";
pub(crate) const TRADE_ASK: &str = "Make this trade?";
pub(crate) const TRADED: &str = "Traded";
pub(crate) const RESULT: &str = "Result";
pub(crate) const TRADE_AGAIN: &str = "Another trade";
pub(crate) const ORDER_FOUND: &str = "The order was made";
pub(crate) const INSTRUMENTS: &str = "Instruments";
pub(crate) const TRADABLE_ASSETS: &str = "Tradable assets";
pub(crate) const PAIR: &str = "Pair";
pub(crate) const VENUE: &str = "Venue";
pub(crate) const PRICED: &str = "Priced";
pub(crate) const PRICED_IN: &str = "Priced in";
pub(crate) const LAST_PRICE: &str = "Last price";
pub(crate) const MIN_SIZE: &str = "Smallest trade";
pub(crate) const MAX_SIZE: &str = "Largest trade";
pub(crate) const SPREAD: &str = "Spread, bps";
pub(crate) const COST: &str = "Cost, bps";
pub(crate) const DELAY: &str = "Delay";
pub(crate) const NO_INSTRUMENTS_LESSON: &str = "No venue trades this. Clear a filter to see more.";
pub(crate) const EXCHANGED_INTO: &str = "Can be exchanged into";
pub(crate) const CHOOSE_CURRENCY: &str = "Choose what you have";
pub(crate) const CHOOSE_CURRENCY_LESSON: &str =
    "Every currency and chain it can be exchanged into is listed here.";
pub(crate) const NOT_TRADABLE: &str = "Nothing to exchange it into";
pub(crate) const NOT_TRADABLE_LESSON: &str =
    "No venue trades it on the chains of this account. Another account may have other chains.";
pub(crate) const PLACES: &str = "Decimal places";
pub(crate) const ON_CHAINS: &str = "Chains";

pub(crate) fn pair(base: &str, quote: &str) -> String {
    format!("{base} / {quote}")
}

pub(crate) fn for_one(currency: &str) -> String {
    format!("for 1 {currency}")
}

pub(crate) fn mode(mode: &QuoteMode) -> &str {
    match mode {
        QuoteMode::SellExact => "What is sold",
        QuoteMode::BuyExact => "What is bought",
        QuoteMode::Other(word) => word,
    }
}

pub(crate) fn deposit_method(method: &DepositMethod) -> String {
    match method {
        DepositMethod::Balance => "From the balance".to_owned(),
        DepositMethod::Deposit => "By a deposit".to_owned(),
        other => words(other.as_str()),
    }
}

pub(crate) fn deposit_methods() -> Vec<(String, String)> {
    [DepositMethod::Balance, DepositMethod::Deposit]
        .iter()
        .map(|method| (method.as_str().to_owned(), deposit_method(method)))
        .collect()
}

pub(crate) fn handed_over_by(methods: &str) -> String {
    format!(
        "What is sold can be handed over: {}.",
        methods.to_lowercase()
    )
}

pub(crate) fn any_chain(currency: &str) -> String {
    format!("{currency}, any chain")
}

pub(crate) fn leg_number(number: u32) -> String {
    format!("Currency {number} to sell")
}

pub(crate) fn held_for(seconds: i64) -> String {
    match seconds {
        0 => "No longer held".to_owned(),
        1 => "Held for 1 more second".to_owned(),
        _ => format!("Held for {seconds} more seconds"),
    }
}

pub(crate) fn accept_ask(sold: &str, bought: &str) -> String {
    format!("You sell {sold} and get {bought}. An accepted quote cannot be taken back.")
}

pub(crate) fn trade_ask(sold: &str, bought: &str) -> String {
    format!(
        "You sell {sold} for about {bought}, at the price of the moment. A trade cannot be taken back."
    )
}

pub(crate) fn order_not_found(reference: &str, looked: usize) -> String {
    format!(
        "No order with the reference {reference} among the newest {looked}. This page goes on looking."
    )
}

pub(crate) fn milliseconds(count: &str) -> String {
    format!("{count} ms")
}

// --- Automations and partners ---

pub(crate) const AUTOMATIONS: &str = "Automations";
pub(crate) const AUTOMATIONS_LEAD: &str = "What happens to an account by itself: one of yours, or one of an organisation that you manage as its partner.";
pub(crate) const AUTOMATIONS_WHY: &str =
    "Each looks at the account when its balance changes and by its schedule.";
pub(crate) const SUB_MERCHANT: &str = "Sub-merchant";
pub(crate) const ACCOUNT_REFERENCE: &str = "Account reference";
pub(crate) const ACCOUNT_REFERENCE_HINT: &str = "Its reference";
pub(crate) const ACTING_FOR: &str = "You act for the sub-merchant";
pub(crate) const STOP_ACTING: &str = "Act for yourself again";
pub(crate) const NOT_AN_ORGANISATION: &str = "That is not an organisation’s id";
pub(crate) const NOT_AN_ORGANISATION_WHY: &str =
    "It begins with org_ and is shown in the organisation’s own settings. Nothing was asked.";
pub(crate) const CHOOSE_ACCOUNT: &str = "Name an account";
pub(crate) const CHOOSE_ACCOUNT_LESSON: &str = "Enter the reference of an account. As a partner, enter the sub-merchant’s organisation id before it: everything here is then done for that organisation.";
pub(crate) const BALANCES_OF_REFERENCE: &str =
    "What is available in the accounts of this reference.";
pub(crate) const NO_AUTOMATIONS: &str = "No automations yet";
pub(crate) const NO_AUTOMATIONS_LESSON: &str = "Keep a balance between two thresholds: you are told when it is low, and what is too much is paid out.";
pub(crate) const WHAT_IT_DOES: &str = "What it does";
pub(crate) const WHEN_IT_ACTS: &str = "When it acts";
pub(crate) const SCHEDULE: &str = "Looks";
pub(crate) const LAST_RUN: &str = "Last run";
pub(crate) const SWITCH_ON: &str = "Enable";
pub(crate) const SWITCH_OFF: &str = "Disable";
pub(crate) const SWITCH_ASK: &str = "Change this automation?";
pub(crate) const SWITCH_WHY: &str =
    "While it is disabled nothing happens by itself. Enabled, it looks at the balance at once.";
pub(crate) const GO_ON: &str = "Go on";
pub(crate) const END_AUTOMATION: &str = "End";
pub(crate) const END_AUTOMATION_ASK: &str = "End this automation?";
pub(crate) const END_AUTOMATION_WHY: &str =
    "It does nothing more. Another one can be made in its place.";
pub(crate) const AUTOMATION_MADE: &str = "Automation created";
pub(crate) const AUTOMATION_ENDED: &str = "Automation ended";
pub(crate) const MAINTAIN: &str = "Maintain a balance";
pub(crate) const MAINTAIN_HOW: &str = "How it works";
pub(crate) const MAINTAIN_HOW_LONG: &str = "Below the minimum you are told. Above the payout threshold, what lies above the minimum is paid out.";
pub(crate) const MINIMUM: &str = "Minimum";
pub(crate) const MINIMUM_HINT: &str = "Below this you are told.";
pub(crate) const THRESHOLD: &str = "Payout threshold";
pub(crate) const THRESHOLD_HINT: &str = "Must be greater than the minimum.";
pub(crate) const SURPLUS_TO: &str = "The surplus goes to";

pub(crate) fn action(action: &ActionType) -> String {
    match action {
        ActionType::Sweep => "Sweep".to_owned(),
        ActionType::MaintainBalance => "Maintains a balance".to_owned(),
        ActionType::Other(word) => words(word),
    }
}

pub(crate) fn condition(condition: &AutomationCondition) -> String {
    let than = match &condition.comparison {
        Comparison::GreaterThan => "above".to_owned(),
        Comparison::LessThan => "below".to_owned(),
        Comparison::Other(word) => words(word),
    };
    format!(
        "{} {than} {} {}",
        words(condition.entity.as_str()),
        condition.amount,
        condition.amount_currency
    )
}

pub(crate) fn schedule(schedule: &AutomationSchedule) -> String {
    let at = schedule
        .time
        .as_ref()
        .map(|time| format!(" at {time} UTC"))
        .unwrap_or_default();
    format!("{}{at}", words(schedule.frequency.as_str()))
}
