//! `DELETE /accounts/{account}`.

use super::Account;
use crate::operation::{Scope, operation};
use crate::value::AccountKey;

operation! {
    /// Deletes a settlement or virtual account with no balance and no open payments or movements.
    DeleteAccount in "account": DELETE "/accounts/{account}",
    path: DeleteAccountPath {
        /// The account's id or reference.
        account: AccountKey,
    },
    response: Account,
    SCOPE: Scope::Write,
}
