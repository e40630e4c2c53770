//! `GET /partners/accounts/{account_ref}/automations`.

use super::Automation;
use crate::operation::{Auth, Wire, operation};
use crate::page::{ListQuery, Page};
use crate::value::AccountKey;

operation! {
    /// Lists the automations of an account (or of all accounts of a reference) and its sub-accounts.
    ListAutomations in "automation": GET "/partners/accounts/{account_ref}/automations",
    path: ListAutomationsPath {
        /// The account's reference, or its id if it has none.
        account_ref: AccountKey,
    },
    query: ListQuery,
    response: Page<Automation>,
    AUTH: Auth::Signed,
    WIRE: Wire::List,
    DELEGATED: true,
}
