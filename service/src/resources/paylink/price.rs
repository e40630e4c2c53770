//! The price of a paylink in other currencies.

use settlekit_core::account::Account;
use settlekit_core::value::{Amount, Currency};

use crate::money::connection;
use crate::money::prices::{self, Prices};
use crate::money::rounding::Rounding;
use crate::resources::chain;
use crate::store;
use crate::unit::{Outcome, Refusal, Unit};

/// Maximum decimal places of a converted price: payers read and sometimes type it.
pub(crate) const CONVERTED_PLACES_MAX: u32 = 8;

/// A price in a currency with some decimal places; `None` without a rate, if it is too fine for the currency, or on overflow. A
/// price in its own currency stays as written: 1.50 stays 1.50.
pub(crate) fn price_in(
    prices: &Prices,
    (price, priced_in): (Amount, &Currency),
    currency: &Currency,
    scale: u32,
) -> Option<Amount> {
    if currency == priced_in {
        return price.to_units(scale).is_ok().then_some(price);
    }
    let places = scale.min(CONVERTED_PLACES_MAX);
    let units = prices.convert(price, priced_in, currency, places, Rounding::Up)?;
    let converted = Amount::from_units(units.ok()?, places).ok()?;
    converted.to_units(scale).is_ok().then_some(converted)
}

/// Checks that one of these accounts accepts the price: otherwise no payer could pay it. `unsupported` says that none takes its
/// currency.
pub(super) fn check_payable(
    unit: &mut Unit<'_>,
    accounts: &[Account],
    (price, priced_in): (Amount, &Currency),
    unsupported: &str,
) -> Outcome<()> {
    chain::check_priced(unit, Some("currency"), priced_in)?;
    let mut refusal = Refusal::not_supported("currency", unsupported);
    for account in accounts {
        if let Some(chain) = &account.chain
            && let Err(unconnected) = connection::connected(unit, chain.id, None)
        {
            refusal = unconnected;
            continue;
        }
        for currency in &account.currencies {
            let prices = prices::between(unit, priced_in, currency)?;
            // The sub-accounts of a virtual account are not known here.
            let Some(chain) = &account.chain else {
                let rates = [priced_in, currency].map(|named| prices.price(named).is_some());
                if currency == priced_in || rates == [true, true] {
                    return Ok(());
                }
                continue;
            };
            let Some(asset) = store::chain::asset(unit.database, chain.id, currency)? else {
                continue;
            };
            if price_in(&prices, (price, priced_in), currency, asset.scale).is_some() {
                return Ok(());
            }
            if currency == priced_in
                && let Err(error) = price.to_units(asset.scale)
            {
                refusal = Refusal::amount("amount", error);
            } else if currency != priced_in
                && let Some(no_rate) =
                    prices::no_rate(unit, Some("currency"), &[priced_in, currency])?
            {
                refusal = no_rate;
            }
        }
    }
    Err(refusal)
}
