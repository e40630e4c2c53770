//! Pauses or resumes a chain.

use settlekit_core::installation::{
    InstallationChain, UpdateInstallationChain, UpdateInstallationChainBody,
};

use super::chains::all;
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn update_installation_chain(
    unit: &mut Unit<'_>,
    call: Received<UpdateInstallationChain>,
) -> Outcome<InstallationChain> {
    call.caller.need_installation_operator()?;
    let chain = call.path.chain_id;
    let unknown = || Refusal::not_found("chain");
    let before = store::connection::lock(unit.database, chain)?.ok_or_else(unknown)?;
    let UpdateInstallationChainBody { paused } = call.body;
    if before.paused != paused {
        store::connection::set_paused(unit.database, chain, paused, unit.now)?;
    }
    let mut chains = all(unit.database)?.into_iter();
    chains.find(|one| one.id == chain).ok_or_else(unknown)
}
