//! `GET /accounts`.

use super::Account;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};

operation! {
    /// Lists the organisation's settlement and virtual accounts.
    ListAccounts in "account": GET "/accounts",
    query: ListQuery,
    response: Page<Account>,
    WIRE: Wire::List,
}
