//! The currencies that a currency can be exchanged for, on the account's chains and at the connected venues.

use std::collections::BTreeSet;

use settlekit_core::trade::{ListTradableAssets, TradableAsset};
use settlekit_core::value::{AccountKey, ChainId};

use crate::money::connection;
use crate::money::venue::{self, Side};
use crate::resources::quote::accounts_of;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn list_tradable_assets(
    unit: &mut Unit<'_>,
    call: Received<ListTradableAssets>,
) -> Outcome<Vec<TradableAsset>> {
    let query = call.query;
    let key = query.account_id.map(AccountKey::Id);
    let accounts = accounts_of(unit, call.caller.organisation, key.as_ref(), "account_id")?;
    let eligible: BTreeSet<ChainId> = accounts
        .iter()
        .filter_map(|account| account.chain_id)
        .collect();
    let Some(venues) = venue::find(unit)? else {
        return Ok(Vec::new());
    };
    let chains = connection::list_connected(unit)?;
    let scales = chains
        .iter()
        .filter(|chain| query.chain_id.is_none_or(|from| from == chain.id))
        .flat_map(|chain| &chain.assets)
        .filter(|asset| asset.symbol == query.currency)
        .map(|asset| asset.scale);
    let mut tradable = Vec::new();
    let Some(scale) = scales.max() else {
        // A currency on none of the chains cannot be exchanged.
        return Ok(tradable);
    };
    let units = query.amount.map(|amount| amount.to_units(scale));
    let units = units
        .transpose()
        .map_err(|error| Refusal::amount("amount", error))?;
    for chain in chains {
        if !eligible.contains(&chain.id) {
            continue;
        }
        for asset in chain.assets {
            let is_itself = asset.symbol == query.currency
                && query.chain_id.is_none_or(|from| from == chain.id);
            let supported = query.require_settlement_support != Some(true)
                || accounts.iter().any(|account| {
                    account.chain_id == Some(chain.id) && account.currencies.contains(&asset.symbol)
                });
            let sold = Side {
                currency: &query.currency,
                chain: query.chain_id.unwrap_or(chain.id),
                scale,
            };
            let bought = Side {
                currency: &asset.symbol,
                chain: chain.id,
                scale: asset.scale,
            };
            let traded = match units {
                None => venues.is_pair(sold, bought),
                Some(units) => venues.takes(sold, bought, units, unit.now),
            };
            if !is_itself && supported && traded {
                tradable.push(TradableAsset {
                    chain_id: chain.id,
                    currency: asset.symbol,
                });
            }
        }
    }
    Ok(tradable)
}
