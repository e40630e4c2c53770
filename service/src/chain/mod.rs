//! Chains as listed.

use settlekit_core::chain::{ChainDetail, ListChains};

use crate::refusal::Outcome;
use crate::router::Received;
use crate::store;
use crate::unit::Unit;

pub(crate) fn list_chains(
    unit: &mut Unit<'_>,
    _: Received<ListChains>,
) -> Outcome<Vec<ChainDetail>> {
    Ok(store::chain::list(unit.database)?)
}
