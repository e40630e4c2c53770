//! `GET /accounts/{account}/pay-in-addresses`.

use super::PayInAddress;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};
use crate::value::AccountKey;

operation! {
    /// Lists the permanent pay-in addresses of an account.
    ListPayInAddresses in "account": GET "/accounts/{account}/pay-in-addresses",
    path: ListPayInAddressesPath {
        /// The account's id or reference.
        account: AccountKey,
    },
    query: ListQuery,
    response: Page<PayInAddress>,
    WIRE: Wire::List,
}
