//! `PATCH /installation/chains/{chain_id}`.

use super::InstallationChain;
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::ChainId;

body! {
    /// Changes to a connected chain.
    UpdateInstallationChainBody {
        /// Whether reading and sending are paused. Resumed, the service first reads the blocks that were mined during the pause.
        paused: bool,
    }
}

impl Validate for UpdateInstallationChainBody {
    fn validate(&self, _: &mut Report) {}
}

operation! {
    /// Pauses a chain, or resumes it from its latest recorded block; for operators of the installation.
    UpdateInstallationChain in "installation": PATCH "/installation/chains/{chain_id}",
    path: UpdateInstallationChainPath {
        /// The chain's id.
        chain_id: ChainId,
    },
    body: UpdateInstallationChainBody,
    response: InstallationChain,
    AUTH: Auth::Session,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}
