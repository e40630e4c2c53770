//! Orders that an exchange on a chain executes: by a swap from the hot wallet.

use std::time::Duration;

use settlekit_core::quote::Quote;
use settlekit_core::trade::{OrderReason, OrderStatus, QuickTrade};
use settlekit_core::value::{Amount, OrderId, OrganisationId, Timestamp};

use super::{account, damaged, end, fail, held, move_to, or_reason, quote_of, send_out};
use crate::chains::swap::{self, Start, SwapState, Swapped};
use crate::money::rounding::{Rounding, divide_wide};
use crate::resources::account::book::{self, Money};
use crate::resources::quote::RATE_SCALE;
use crate::store;
use crate::store::order::Order;
use crate::store::quote::SwapTerms;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Unit};

/// Orders that wait for another one's swap, or for a sweep, are tried again at multiples of this time, in microseconds: together, so
/// that the oldest is the first.
const RETRY_EVERY: i64 = 2_000_000;

/// The time that approval and swap need. An order that has less left is not started.
const SWAP_TIME: Duration = Duration::from_secs(2 * 60);

/// While its transactions are under way, nothing is due for an order: they end it. It stays due, as accounts with such orders are
/// not deleted.
const LOOK_AFTER: Duration = Duration::from_secs(60);

/// Starts the swap of a funded order. It fails if it cannot start in the time that the quote leaves.
pub(super) fn start(
    unit: &mut Unit<'_>,
    order: Order,
    quote: &Quote,
    terms: &SwapTerms,
) -> Result<(), StoreError> {
    let id = (quote.org_id, order.id);
    let needed_until = unit.now.plus(SWAP_TIME);
    let is_over = quote.ttl_at.is_none_or(|ttl_at| ttl_at <= needed_until);
    let start = match swap::state(unit, id)? {
        SwapState::None if is_over => Start::Impossible,
        SwapState::None => swap::start(unit, id, quote, terms)?,
        SwapState::UnderWay | SwapState::Settled(_) | SwapState::Failed => Start::Queued,
    };
    let due_at = match start {
        Start::Queued => unit.now.plus(LOOK_AFTER),
        Start::Waits => next_try(unit.now),
        Start::Impossible => {
            let parts = held(unit, &order, quote)?;
            let reason = OrderReason::VenueRefused;
            return fail(unit, order, (quote.org_id, &parts), reason);
        }
    };
    let order = Order {
        due_at: Some(due_at),
        ..order
    };
    store::order::update(unit.database, quote.org_id, &order, unit.now)
}

fn next_try(now: Timestamp) -> Timestamp {
    let tries = now.micros().div_euclid(RETRY_EVERY);
    Timestamp::from_micros(tries.saturating_add(1).saturating_mul(RETRY_EVERY))
}

/// Goes on with an order of which a transaction has ended.
pub(crate) fn swap_ended(
    unit: &mut Unit<'_>,
    (organisation, id): (OrganisationId, OrderId),
) -> Outcome<()> {
    let order = store::order::ORDERS.lock(unit.database, organisation, id)?;
    let order = order.ok_or_else(|| StoreError::Damaged("a swap has no order".to_owned()))?;
    // It has ended before: a reorganisation has brought its transactions again.
    if order.record.status != OrderStatus::Processing || order.due_at.is_none() {
        return Ok(());
    }
    match swap::state(unit, (organisation, id))? {
        SwapState::None | SwapState::UnderWay => Ok(()),
        SwapState::Settled(swapped) => settle(unit, organisation, order, swapped),
        SwapState::Failed => {
            let quote = quote_of(unit, organisation, &order)?;
            let parts = held(unit, &order, &quote)?;
            let reason = OrderReason::VenueRefused;
            fail(unit, order, (organisation, &parts), reason)?;
            Ok(swap::revoke(unit, (organisation, id))?)
        }
    }
}

/// Books the amounts that a swap sold and bought, and sends the bought amount out if an address was given. It is booked even if the
/// account was deleted.
fn settle(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    order: Order,
    Swapped { sold, bought }: Swapped,
) -> Outcome<()> {
    let quote = quote_of(unit, organisation, &order)?;
    let entity = order.id.to_string();
    let mut parts = held(unit, &order, &quote)?;
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
    // The pools have taken their fee.
    let fee = Money::new(currency, 0);
    book::settle(unit, &parts, &target, (&received, &fee), &entity)?;
    let chain = target.chain_id.ok_or_else(|| damaged("chain"))?;
    let asset = store::chain::asset(unit.database, chain, currency)?;
    let scale = asset.ok_or_else(|| damaged("asset"))?.scale;
    let amount = Amount::from_units(bought, scale).map_err(|_| damaged("exact amount"))?;
    let (from_amount, effective_rate) = shown(unit, &quote, (sold, bought, scale), &order.record)?;
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
    let sent = unit.attempt(|unit| send_out(unit, id, &quote, (&target, received)))?;
    match or_reason(sent)? {
        Ok(is_sent) => Ok(end(unit, organisation, order, is_sent)?),
        // It stays on the account.
        Err(_) => {
            let failed = (OrderStatus::Failed, Some(OrderReason::PayoutFailed));
            Ok(move_to(unit, organisation, order, failed, None)?)
        }
    }
}

/// The sold amount and the rate of a swap, as its order shows them.
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
    // A swap that took nothing has none.
    Ok((amount, rate.unwrap_or(record.effective_rate)))
}
