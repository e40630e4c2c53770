//! `GET /accounts/{account}/balances`.

use crate::chain::Chain;
use crate::operation::operation;
use crate::value::record::record;
use crate::value::{AccountId, AccountKey, Amount, Currency};

record! {
    /// What one account holds in one currency. A virtual account holds nothing itself: its chains' accounts do.
    AccountBalance {
        /// The account that holds it.
        account_id: AccountId,
        /// The chain it is on.
        chain: Chain,
        /// The currency.
        currency: Currency,
        /// What is booked.
        posted: Amount,
        /// What is set aside for work under way.
        reserved: Amount,
        /// Posted less reserved.
        available: Amount,
        /// `available` in US dollars.
        amount_usd?: Amount,
    }
}

operation! {
    /// Reads what an account, or all that a reference bundles, and those below hold: every currency that they take or have left.
    ListBalances in "account": GET "/accounts/{account}/balances",
    path: ListBalancesPath {
        /// The account's id or reference.
        account: AccountKey,
    },
    response: Vec<AccountBalance>,
}
