//! `GET /partners/accounts/{account_ref}`.

use crate::account::Account;
use crate::operation::{Auth, operation};
use crate::value::AccountReference;

operation! {
    /// Reads a virtual account by its reference.
    GetPartnerAccount in "partner": GET "/partners/accounts/{account_ref}",
    path: PartnerAccountPath {
        /// The virtual account's reference.
        account_ref: AccountReference,
    },
    response: Account,
    AUTH: Auth::Signed,
    DELEGATED: true,
}
