//! `GET /accounts/{account}/movement`.

use super::Movement;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};
use crate::value::AccountKey;

operation! {
    /// Lists the movements of one account, or of all that a reference bundles, and of the accounts below, newest first.
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
