//! `DELETE /accounts/external-account/{external_account_id}`.

use super::ExternalAccount;
use crate::operation::{Scope, operation};
use crate::value::ExternalAccountId;

operation! {
    /// Removes a payout destination.
    /// Payouts in progress continue; new ones cannot name it.
    DeleteExternalAccount in "external_account": DELETE "/accounts/external-account/{external_account_id}",
    path: DeleteExternalAccountPath {
        /// The destination's id.
        external_account_id: ExternalAccountId,
    },
    response: ExternalAccount,
    SCOPE: Scope::Payout,
    STEP_UP: true,
}
