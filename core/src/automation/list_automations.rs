//! `GET /partners/accounts/{account_ref}/automations`.

use super::Automation;
use crate::operation::{Auth, Wire, operation};
use crate::page::{ListQuery, Page};
use crate::value::AccountReference;

operation! {
    /// Lists the automations of a virtual account and of the accounts on its chains.
    ListAutomations in "automation": GET "/partners/accounts/{account_ref}/automations",
    path: ListAutomationsPath {
        /// The virtual account's reference.
        account_ref: AccountReference,
    },
    query: ListQuery,
    response: Page<Automation>,
    AUTH: Auth::Signed,
    WIRE: Wire::List,
    DELEGATED: true,
}
