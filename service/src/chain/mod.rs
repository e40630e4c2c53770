//! Chains as listed, and what can be taken on them.

use settlekit_core::chain::{ChainDetail, ListChains};
use settlekit_core::error::Reason;
use settlekit_core::value::{Amount, ChainId, Currency};

use crate::refusal::{Outcome, Refusal};
use crate::router::Received;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;

pub(crate) fn list_chains(
    unit: &mut Unit<'_>,
    _: Received<ListChains>,
) -> Outcome<Vec<ChainDetail>> {
    Ok(store::chain::list(unit.database)?)
}

/// Whether a currency can be taken on any chain.
pub(crate) fn is_taken(unit: &mut Unit<'_>, currency: &Currency) -> Result<bool, StoreError> {
    let chains = store::chain::list(unit.database)?;
    Ok(chains
        .iter()
        .flat_map(|chain| &chain.assets)
        .any(|asset| asset.symbol == *currency))
}

/// An amount in the smallest unit of a currency that can be taken on a chain; refused of the field `currency`, or `amount`.
pub(crate) fn units_taken(
    unit: &mut Unit<'_>,
    chain: ChainId,
    currency: &Currency,
    amount: Amount,
) -> Outcome<i128> {
    let asset = store::chain::asset(unit.database, chain, currency)?.ok_or_else(|| {
        Refusal::field(
            "currency",
            Reason::NotSupported,
            "cannot be taken on this chain",
        )
    })?;
    amount
        .to_units(asset.scale)
        .map_err(|error| Refusal::field("amount", error.reason(), error.to_string()))
}
