//! `GET /accounts/external-account/{external_account_id}`.

use super::ExternalAccount;
use crate::operation::operation;
use crate::value::ExternalAccountId;

operation! {
    /// Reads one payout destination.
    GetExternalAccount in "external_account": GET "/accounts/external-account/{external_account_id}",
    path: GetExternalAccountPath {
        /// The destination's id.
        external_account_id: ExternalAccountId,
    },
    response: ExternalAccount,
}
