//! The total of an organisation at the last known prices, while the sources give none. It is only shown.

use settlekit_core::value::{Currency, Timestamp};

use crate::money::prices::{Prices, usd_at};
use crate::money::worth::last_price;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// An available balance: its currency, with the decimal places of its amount in the smallest unit.
pub(super) type Available = (Currency, u32, i128);

/// The total in millionths of a US dollar, with the time of its oldest outdated price; `None` if all prices are current,
/// or if a currency never had one. As in the current total, a currency that no source quotes counts as nothing.
pub(super) fn last_total(
    unit: &mut Unit<'_>,
    prices: &Prices,
    balances: &[Available],
) -> Result<Option<(i128, Timestamp)>, StoreError> {
    let (mut total, mut oldest) = (0_i128, None::<Timestamp>);
    for (currency, scale, units) in balances.iter().filter(|(_, _, units)| *units != 0) {
        let price = match prices.price(currency) {
            Some(price) => price,
            None if !prices.is_unavailable(currency) => continue,
            None => {
                let Some((price, at)) = last_price(unit, prices, currency)? else {
                    return Ok(None);
                };
                oldest = Some(oldest.map_or(at, |oldest| oldest.min(at)));
                price
            }
        };
        let Some(usd) = usd_at(price, *units, *scale) else {
            return Ok(None);
        };
        total = total.saturating_add(usd);
    }
    Ok(oldest.map(|at| (total, at)))
}
