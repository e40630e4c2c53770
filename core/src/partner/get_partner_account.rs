//! `GET /partners/accounts/{account_ref}`.

use crate::account::Account;
use crate::operation::{Auth, operation};
use crate::value::AccountKey;

operation! {
    /// Reads an account by its reference, a virtual one as a rule, or by its id.
    GetPartnerAccount in "partner": GET "/partners/accounts/{account_ref}",
    path: PartnerAccountPath {
        /// The account's reference, or its id where it has none.
        account_ref: AccountKey,
    },
    response: Account,
    AUTH: Auth::Signed,
    DELEGATED: true,
}
