//! Chains: the list, and the currencies accepted on them.

use settlekit_core::chain::{Asset, ChainDetail, ListChains};
use settlekit_core::error::Reason;
use settlekit_core::value::{Amount, ChainId, Currency, WalletAddress};

use crate::chains::payer_fee;
use crate::money::connection;
use crate::money::prices;
use crate::store;
use crate::store::chain::StoredChain;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// Why an unknown chain is refused.
pub(crate) const UNKNOWN: &str = "is not a supported chain";

pub(crate) fn list_chains(
    unit: &mut Unit<'_>,
    call: Received<ListChains>,
) -> Outcome<Vec<ChainDetail>> {
    let mut chains = connection::list_connected(unit)?;
    for connected in store::connection::all_connections(unit.database)? {
        let fees = payer_fee::today(unit, &connected, call.caller.organisation)?;
        let mut chains = chains.iter_mut();
        if let Some(chain) = chains.find(|chain| chain.id == connected.chain) {
            chain.payer_fees = fees;
        }
    }
    Ok(chains)
}

/// Refuses a currency that no connected chain has.
pub(crate) fn check_taken(
    unit: &mut Unit<'_>,
    field: Option<&'static str>,
    currency: &Currency,
) -> Outcome<()> {
    let chains = connection::list_connected(unit)?;
    if chains.is_empty() {
        return Err(Refusal::because(
            Reason::ChainNotConnected,
            "no chain is connected to this service, so no payment is possible",
        ));
    }
    let mut assets = chains.iter().flat_map(|chain| &chain.assets);
    if assets.any(|asset| asset.symbol == *currency) {
        return Ok(());
    }
    let message = "is not a supported currency";
    Err(match field {
        Some(field) => Refusal::not_supported(field, message),
        None => Refusal::because(Reason::NotSupported, format!("{currency} {message}")),
    })
}

/// Refuses a price that cannot be paid: no connected chain has its currency, and no rate converts it.
pub(crate) fn check_priced(
    unit: &mut Unit<'_>,
    field: Option<&'static str>,
    currency: &Currency,
) -> Outcome<()> {
    let taken = check_taken(unit, field, currency);
    let Err(Refusal::Because {
        reason: Reason::NotSupported,
        ..
    }) = &taken
    else {
        return taken;
    };
    if prices::of(unit, [currency])?.price(currency).is_some() {
        return Ok(());
    }
    match prices::no_rate(unit, field, &[currency])? {
        Some(no_rate) => Err(no_rate),
        None => taken,
    }
}

/// A chain of a request; refused with the field `chain_id` if it is unknown.
pub(crate) fn known(unit: &mut Unit<'_>, chain: ChainId) -> Outcome<StoredChain> {
    let found = store::chain::find(unit.database, chain)?;
    found.ok_or_else(|| Refusal::not_supported("chain_id", UNKNOWN))
}

/// Refuses currencies that a chain does not have.
pub(crate) fn check_currencies(
    unit: &mut Unit<'_>,
    known: &StoredChain,
    currencies: &[Currency],
) -> Outcome<()> {
    for currency in currencies {
        if store::chain::asset(unit.database, known.chain.id, currency)?.is_none() {
            let message = format!("{currency} is not supported on {}", known.chain.name);
            return Err(Refusal::not_supported("currencies", message));
        }
    }
    Ok(())
}

/// Refuses an address that is not of a chain.
pub(crate) fn check_address(
    known: &StoredChain,
    field: &'static str,
    address: &WalletAddress,
) -> Outcome<()> {
    if address.family() == known.family {
        return Ok(());
    }
    let message = format!("is not an address of {}", known.chain.name);
    Err(Refusal::address_malformed(field, message))
}

/// The asset of a currency on a chain; refused with the field `currency` if there is none.
pub(crate) fn asset(unit: &mut Unit<'_>, chain: ChainId, currency: &Currency) -> Outcome<Asset> {
    let found = store::chain::asset(unit.database, chain, currency)?;
    found.ok_or_else(|| Refusal::not_supported("currency", "is not supported on this chain"))
}

/// An amount in the smallest unit of a currency on a chain; refused with the field `currency` or `amount`.
pub(crate) fn units_taken(
    unit: &mut Unit<'_>,
    chain: ChainId,
    currency: &Currency,
    amount: Amount,
) -> Outcome<i128> {
    let scale = asset(unit, chain, currency)?.scale;
    amount
        .to_units(scale)
        .map_err(|error| Refusal::amount("amount", error))
}
