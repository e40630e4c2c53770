//! Orders whose venue has executed them: what was sold and bought is booked.

use settlekit_core::quote::Quote;
use settlekit_core::trade::{OrderReason, OrderStatus, QuickTrade};
use settlekit_core::value::Amount;

use super::{account, damaged, end, held, move_to, or_reason, send_out};
use crate::money::ledger::Holder;
use crate::money::rounding::{Rounding, divide_wide};
use crate::resources::account::book::{self, Money};
use crate::resources::quote::RATE_SCALE;
use crate::store;
use crate::store::order::Order;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Unit};

/// The sold and bought amounts of an order, in smallest units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Executed {
    /// At most what was reserved.
    pub(super) sold: i128,
    pub(super) bought: i128,
}

/// Books the amounts that an order sold to a holder and bought from it, and sends the bought amount out if an address was given. It is
/// booked even if the account was deleted.
pub(super) fn settle(
    unit: &mut Unit<'_>,
    order: Order,
    quote: &Quote,
    Executed { sold, bought }: Executed,
    with: Holder,
) -> Outcome<()> {
    let organisation = quote.org_id;
    let entity = order.id.to_string();
    let mut parts = held(unit, &order, quote)?;
    for part in &mut parts {
        if sold < part.money.units {
            book::hold_less(unit, part, sold, &entity)?;
        }
    }
    // A router pays wrapped coins with coins that others left there.
    parts.retain(|part| part.money.units > 0);
    let terms = store::quote::terms(unit.database, organisation, quote.id)?;
    let target = account(unit, organisation, terms.settlement)?;
    let currency = &quote.buy_asset.symbol;
    let received = Money::new(currency, bought);
    // The venue has taken its fee.
    let fee = Money::new(currency, 0);
    let received_with_fee = (&received, &fee);
    book::settle(unit, &parts, &target, received_with_fee, (with, &entity))?;
    let chain = target.chain_id.ok_or_else(|| damaged("chain"))?;
    let asset = store::chain::asset(unit.database, chain, currency)?;
    let scale = asset.ok_or_else(|| damaged("asset"))?.scale;
    let amount = Amount::from_units(bought, scale).map_err(|_| damaged("exact amount"))?;
    let (from_amount, effective_rate) = shown(unit, quote, (sold, bought, scale), &order.record)?;
    let order = Order {
        held: parts.iter().map(|part| part.movement.id).collect(),
        record: QuickTrade {
            from_amount,
            to_amount: amount,
            effective_rate,
            ..order.record
        },
        ..order
    };
    let id = order.id;
    let sent = unit.attempt(|unit| send_out(unit, id, quote, (&target, received)))?;
    match or_reason(sent)? {
        Ok(is_sent) => Ok(end(unit, organisation, order, is_sent)?),
        // It stays on the account.
        Err(_) => {
            let failed = (OrderStatus::Failed, Some(OrderReason::PayoutFailed));
            Ok(move_to(unit, organisation, order, failed, None)?)
        }
    }
}

/// The sold amount and the rate, as the order shows them.
fn shown(
    unit: &mut Unit<'_>,
    quote: &Quote,
    (sold, bought, scale): (i128, i128, u32),
    record: &QuickTrade,
) -> Result<(Amount, Amount), StoreError> {
    let asset = quote
        .sell_assets
        .first()
        .ok_or_else(|| damaged("sold asset"))?;
    let chain = asset.chain_id.ok_or_else(|| damaged("chain"))?;
    let known = store::chain::asset(unit.database, chain, &asset.symbol)?;
    let sold_scale = known.ok_or_else(|| damaged("asset"))?.scale;
    let amount = Amount::from_units(sold, sold_scale).map_err(|_| damaged("exact amount"))?;
    let ten = |places: u32| 10_i128.checked_pow(places);
    let rate = ten(sold_scale).zip(ten(RATE_SCALE)).zip(ten(scale));
    let rate = rate.and_then(|((sold_parts, rate_parts), bought_parts)| {
        let rate = [bought, sold_parts, rate_parts];
        divide_wide(rate, [sold, bought_parts], Rounding::Down)
    });
    let rate = rate.and_then(|units| Amount::from_units(units, RATE_SCALE).ok());
    // An order that sold nothing has none.
    Ok((amount, rate.unwrap_or(record.effective_rate)))
}
