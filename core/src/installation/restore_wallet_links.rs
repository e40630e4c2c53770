//! `DELETE /installation/wallet-links`.

use super::WalletLinkTemplate;
use crate::operation::{Auth, Scope, operation};

operation! {
    /// Forgets the operator's list of wallet links: payers are offered the usual wallets again. For operators of the installation.
    RestoreWalletLinks in "installation": DELETE "/installation/wallet-links",
    response: Vec<WalletLinkTemplate>,
    AUTH: Auth::Session,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}
