//! `GET /partners/accounts/{account_ref}/balances`.

use super::Balance;
use crate::operation::{Auth, operation};
use crate::value::AccountKey;
use crate::value::record::record;

record! {
    /// The balances of one account.
    Balances {
        /// One for each currency on each chain.
        balances: Vec<Balance>,
    }
}

operation! {
    /// Reads the balances of an account, or of all that a reference bundles, and of the accounts below.
    ListPartnerBalances in "partner": GET "/partners/accounts/{account_ref}/balances",
    path: ListPartnerBalancesPath {
        /// The account's reference, or its id where it has none.
        account_ref: AccountKey,
    },
    response: Balances,
    AUTH: Auth::Signed,
    DELEGATED: true,
}
