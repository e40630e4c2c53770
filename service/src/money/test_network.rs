//! Test networks: chains whose money has no value.
//!
//! It has no worth in other currencies and counts in no sum. Exchange rates hold for it as for other money, so that a price in another
//! currency can be tried.

use std::collections::BTreeSet;

use settlekit_core::value::ChainId;

use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Whether the money of a chain has no value.
pub(crate) fn is_test_network(unit: &mut Unit<'_>, chain: ChainId) -> Result<bool, StoreError> {
    Ok(test_networks(unit)?.contains(&chain))
}

/// The test networks: none in a sandbox, where all money is simulated. They are read once per unit.
pub(crate) fn test_networks<'u>(
    unit: &'u mut Unit<'_>,
) -> Result<&'u BTreeSet<ChainId>, StoreError> {
    let known = match unit.test_networks.take() {
        Some(known) => known,
        None if unit.options().mode.is_sandbox() => BTreeSet::new(),
        None => store::chain::test_networks(unit.database)?,
    };
    Ok(unit.test_networks.insert(known))
}
