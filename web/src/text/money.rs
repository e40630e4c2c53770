//! What the reader sees on the pages about money: accounts, payouts, trading, partners.

use settlekit_core::account::{AccountProvider, AccountType};
use settlekit_core::external_account::ExternalAccountType;
use settlekit_core::payment::CancelObstacle;

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
pub(crate) const CHAIN_ID: &str = "Chain";

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
