//! `GET /accounts/{account}`.

use super::Account;
use crate::operation::operation;
use crate::value::AccountKey;

operation! {
    /// Reads one account with its sub-accounts and deposit splits.
    GetAccount in "account": GET "/accounts/{account}",
    path: AccountPath {
        /// The account's id or reference.
        account: AccountKey,
    },
    response: Account,
}
