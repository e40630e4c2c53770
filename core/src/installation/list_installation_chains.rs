//! `GET /installation/chains`.

use super::InstallationChain;
use crate::operation::{Auth, operation};

operation! {
    /// Lists the connected chains with head, lag, nodes, comparison and open work; for operators of the installation.
    ListInstallationChains in "installation": GET "/installation/chains",
    response: Vec<InstallationChain>,
    AUTH: Auth::Session,
}
