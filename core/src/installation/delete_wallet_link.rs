//! `DELETE /installation/wallet-links/{name}`.

use super::WalletLinkTemplate;
use crate::operation::{Auth, Scope, operation};

operation! {
    /// Removes a wallet link and answers the list; for operators of the installation.
    DeleteWalletLink in "installation": DELETE "/installation/wallet-links/{name}",
    path: DeleteWalletLinkPath {
        /// Name of the wallet.
        name: String,
    },
    response: Vec<WalletLinkTemplate>,
    AUTH: Auth::Session,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}
