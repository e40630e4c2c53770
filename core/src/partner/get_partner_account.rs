//! `GET /partners/accounts/{account_ref}`.

use crate::account::Account;
use crate::operation::{Auth, operation};
use crate::value::AccountKey;

operation! {
    /// Reads an account, usually a virtual one, by its reference or id.
    GetPartnerAccount in "partner": GET "/partners/accounts/{account_ref}",
    path: PartnerAccountPath {
        /// The account's reference, or its id if it has none.
        account_ref: AccountKey,
    },
    response: Account,
    AUTH: Auth::Signed,
    DELEGATED: true,
}
