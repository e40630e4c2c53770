//! `GET /accounts/{account}/movement`.

use super::Movement;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};
use crate::value::AccountKey;

operation! {
    /// Lists the movements of an account (or of all accounts of a reference) and its sub-accounts, newest first.
    ListMovements in "account": GET "/accounts/{account}/movement",
    path: ListMovementsPath {
        /// The account's id or reference.
        account: AccountKey,
    },
    query: ListQuery,
    response: Page<Movement>,
    WIRE: Wire::List,
    DELEGATED: true,
}
