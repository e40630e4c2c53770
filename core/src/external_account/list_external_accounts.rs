//! `GET /accounts/external-account`.

use super::ExternalAccount;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};

operation! {
    /// Lists the payout destinations.
    ListExternalAccounts in "external_account": GET "/accounts/external-account",
    query: ListQuery,
    response: Page<ExternalAccount>,
    WIRE: Wire::List,
}
