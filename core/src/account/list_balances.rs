//! `GET /accounts/{account}/balances`.

use crate::chain::Chain;
use crate::operation::operation;
use crate::value::record::record;
use crate::value::{AccountId, AccountKey, Amount, Currency, Timestamp};

record! {
    /// Balance of one account in one currency. A virtual account has no balance itself: its chains' accounts have.
    AccountBalance {
        /// Account that holds the balance.
        account_id: AccountId,
        /// Chain.
        chain: Chain,
        /// Currency symbol.
        currency: Currency,
        /// Booked balance.
        posted: Amount,
        /// Reserved for operations in progress.
        reserved: Amount,
        /// `posted` minus `reserved`.
        available: Amount,
        /// `available` in US dollars; absent without a price, and on a test network.
        amount_usd?: Amount,
        /// `available` in US dollars at the last known price, only while there is no current one, and for display only. Absent on a test network.
        last_amount_usd?: Amount,
        /// Time of the last known price.
        last_amount_at?: Timestamp,
    }
}

operation! {
    /// Reads the balances of an account (or of all accounts of a reference) and its sub-accounts, for each supported or held currency.
    ListBalances in "account": GET "/accounts/{account}/balances",
    path: ListBalancesPath {
        /// The account's id or reference.
        account: AccountKey,
    },
    response: Vec<AccountBalance>,
}
