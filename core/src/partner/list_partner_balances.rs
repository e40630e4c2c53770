//! `GET /partners/accounts/{account_ref}/balances`.

use super::Balance;
use crate::operation::{Auth, operation};
use crate::value::AccountKey;
use crate::value::record::record;

record! {
    /// Balances of an account.
    Balances {
        /// Balances, one per currency and chain.
        balances: Vec<Balance>,
    }
}

operation! {
    /// Reads the balances of an account (or of all accounts of a reference) and its sub-accounts.
    ListPartnerBalances in "partner": GET "/partners/accounts/{account_ref}/balances",
    path: ListPartnerBalancesPath {
        /// The account's reference, or its id if it has none.
        account_ref: AccountKey,
    },
    response: Balances,
    AUTH: Auth::Signed,
    DELEGATED: true,
}
