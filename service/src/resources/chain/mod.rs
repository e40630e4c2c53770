//! Chains: the list, and the currencies accepted on them.

use settlekit_core::chain::{ChainDetail, ListChains};
use settlekit_core::error::Reason;
use settlekit_core::value::{Amount, ChainId, Currency};

use crate::money::connection;
use crate::money::prices;
use crate::store;
use crate::unit::Unit;
use crate::unit::received::Received;
use crate::unit::refusal::{Outcome, Refusal};

/// Why an unknown chain is refused.
pub(crate) const UNKNOWN: &str = "is not a supported chain";

pub(crate) fn list_chains(
    unit: &mut Unit<'_>,
    _: Received<ListChains>,
) -> Outcome<Vec<ChainDetail>> {
    Ok(connection::list_connected(unit)?)
}

/// Whether any connected chain has a currency.
fn is_taken(chains: &[ChainDetail], currency: &Currency) -> bool {
    chains
        .iter()
        .flat_map(|chain| &chain.assets)
        .any(|asset| asset.symbol == *currency)
}

fn none_connected() -> Refusal {
    Refusal::because(
        Reason::ChainNotConnected,
        "no chain is connected to this service, so no payment is possible",
    )
}

/// Refuses a currency that no connected chain has.
pub(crate) fn check_taken(
    unit: &mut Unit<'_>,
    field: Option<&'static str>,
    currency: &Currency,
) -> Outcome<()> {
    let chains = connection::list_connected(unit)?;
    if chains.is_empty() {
        return Err(none_connected());
    }
    if is_taken(&chains, currency) {
        return Ok(());
    }
    let message = "is not a supported currency";
    Err(match field {
        Some(field) => Refusal::field(field, Reason::NotSupported, message),
        None => Refusal::because(Reason::NotSupported, format!("{currency} {message}")),
    })
}

/// Refuses a price that cannot be paid: no connected chain has its currency, and no rate converts it.
pub(crate) fn check_priced(
    unit: &mut Unit<'_>,
    field: Option<&'static str>,
    currency: &Currency,
) -> Outcome<()> {
    let prices = prices::connected(unit);
    match check_taken(unit, field, currency) {
        Err(Refusal::Because {
            reason: Reason::NotSupported,
            ..
        }) if prices.price(currency).is_some() => Ok(()),
        Err(Refusal::Because {
            reason: Reason::NotSupported,
            ..
        }) if !prices.is_connected() => Err(prices::no_rate(field)),
        other => other,
    }
}

/// Refuses an unknown chain, with the field `chain_id`.
pub(crate) fn check_known(unit: &mut Unit<'_>, chain: ChainId) -> Outcome<()> {
    match store::chain::find(unit.database, chain)? {
        Some(_) => Ok(()),
        None => Err(Refusal::field("chain_id", Reason::NotSupported, UNKNOWN)),
    }
}

/// An amount in the smallest unit of a currency on a chain; refused with the field `currency` or `amount`.
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
            "is not supported on this chain",
        )
    })?;
    amount
        .to_units(asset.scale)
        .map_err(|error| Refusal::field("amount", error.reason(), error.to_string()))
}
