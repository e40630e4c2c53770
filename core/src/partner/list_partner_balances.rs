//! `GET /partners/accounts/{account_ref}/balances`.

use super::Balance;
use crate::operation::{Auth, operation};
use crate::value::AccountReference;
use crate::value::record::record;

record! {
    /// The balances of one account.
    Balances {
        /// One for each currency on each chain.
        balances: Vec<Balance>,
    }
}

operation! {
    /// Reads the balances of the accounts that a reference bundles.
    ListPartnerBalances in "partner": GET "/partners/accounts/{account_ref}/balances",
    path: ListPartnerBalancesPath {
        /// The virtual account's reference.
        account_ref: AccountReference,
    },
    response: Balances,
    AUTH: Auth::Signed,
    DELEGATED: true,
}
