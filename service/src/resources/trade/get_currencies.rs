//! The currencies that can be traded, each with its chains.

use std::collections::BTreeMap;

use settlekit_core::quote::DepositMethod;
use settlekit_core::trade::{GetCurrencies, TradeCurrencies, TradeCurrency};
use settlekit_core::value::Currency;

use crate::money::connection;
use crate::money::venue;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn get_currencies(
    unit: &mut Unit<'_>,
    _: Received<GetCurrencies>,
) -> Outcome<TradeCurrencies> {
    let mut currencies: BTreeMap<Currency, TradeCurrency> = BTreeMap::new();
    let Some(venues) = venue::find(unit)? else {
        return Ok(TradeCurrencies {
            currencies: Vec::new(),
            payment_methods: Vec::new(),
        });
    };
    for chain in connection::list_connected(unit)? {
        for asset in chain.assets {
            if !venues.is_traded((chain.id, &asset.symbol)) {
                continue;
            }
            let known = currencies
                .entry(asset.symbol.clone())
                .or_insert_with(|| TradeCurrency {
                    symbol: asset.symbol,
                    scale: asset.scale,
                    chain_ids: Vec::new(),
                });
            // The decimal places that are exact on every chain.
            known.scale = known.scale.min(asset.scale);
            known.chain_ids.push(chain.id);
        }
    }
    Ok(TradeCurrencies {
        currencies: currencies.into_values().collect(),
        payment_methods: vec![DepositMethod::Deposit, DepositMethod::Balance],
    })
}
