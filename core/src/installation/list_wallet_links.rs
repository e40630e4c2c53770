//! `GET /installation/wallet-links`.

use super::WalletLinkTemplate;
use crate::operation::{Auth, operation};

operation! {
    /// Lists the links that open a wallet on a payer's device, as payers see them; for operators of the installation.
    ListWalletLinks in "installation": GET "/installation/wallet-links",
    response: Vec<WalletLinkTemplate>,
    AUTH: Auth::Session,
}
