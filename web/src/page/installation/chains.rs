//! The loaded chains, for the parts of the page.

use std::time::Duration;

use settlekit_core::installation::InstallationChain;
use settlekit_core::value::ChainId;

use crate::shell::Loaded;

/// Polling interval: blocks are no events of an organisation.
pub(super) const REFRESH: Duration = Duration::from_secs(5);

/// The chains of the page, for its parts.
pub(super) type Chains = Loaded<Vec<InstallationChain>>;

/// A chain of the page. Tracked.
pub(super) fn find(chains: Chains, id: ChainId) -> Option<InstallationChain> {
    chains
        .read(|chains| chains.iter().find(|chain| chain.id == id).cloned())
        .flatten()
}
